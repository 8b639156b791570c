"""The command modicum memory audit."""

import click

from modicum.app.counted import counted
from modicum.app.memory.upkeep.audit import apply_audit, audit_notes
from modicum.app.whose import project_of
from modicum.cli import output
from modicum.cli.options import json_option, project_option
from modicum.cli.store import open_memory

HEAD = ("Note", "Finding", "Plan", "Title", "Why")


@click.command("audit")
@project_option
@click.option("--all-projects", is_flag=True, help="Notes of every project.")
@click.option("--dry-run", is_flag=True, help="Only print the plan (the default).")
@click.option("--apply", "applies", is_flag=True, help="Delete what the plan deletes; it can be restored.")
@json_option
def audit(*, project: str, all_projects: bool, dry_run: bool, applies: bool, as_json: bool) -> int:
    """Look for duplicates, junk, contradicted notes and those never read, and print a plan.

    \b
    Examples:
      modicum memory audit
      modicum memory audit --apply
    """
    if dry_run and applies:
        raise click.UsageError("--dry-run and --apply exclude each other")
    with open_memory() as (config, store):
        findings = audit_notes(store, "" if all_projects else project_of(store, config, project), config.data)
        deleted = apply_audit(store, findings) if applies else ()
    if as_json:
        output.say_json(
            {
                "findings": [each._asdict() for each in findings],
                "deleted": [note.public_id for note in deleted],
            }
        )
        return 0
    plans = ("look", "delete")
    rows = [(each.id, each.kind, plans[each.delete], each.title, each.reason) for each in findings]
    if rows:
        output.table(HEAD, rows)
    planned = sum(each.delete for each in findings)
    output.say(_closing(len(findings), planned, len(deleted), applies=applies))
    return 0


def _closing(found: int, planned: int, deleted: int, *, applies: bool) -> str:
    if not found:
        return "Nothing to complain of."
    if applies:
        return f"{counted(deleted, 'note')} deleted (undo: modicum undo)."
    hint = ": modicum memory audit --apply" if planned else ""
    return f"{counted(found, 'finding')}; the plan deletes {planned}{hint}"
