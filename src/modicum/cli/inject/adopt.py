"""The command modicum adopt."""

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import click

from modicum.app.adopt import run
from modicum.app.adopt.preview import Preview, ToolChange
from modicum.app.adopt.propose import Proposal
from modicum.app.adopt.unit import PACK, SAME, AdoptUnit
from modicum.base.config import Config, load_config
from modicum.base.errors import WrongUsage
from modicum.cli import output
from modicum.cli.inject.report import say_lines
from modicum.cli.options import json_option
from modicum.cli.questions import can_ask, says_yes
from modicum.cli.settings.names_to_complete import complete_tools
from modicum.cli.table import Row

FILES = ("File", "Core", "Detail", "Extended", "Said elsewhere", "Kept", "Applies to")
TOOLS = ("Tool", "Tokens", "After", "Instructions", "Then", "Gains", "Loses")
NEXT = "Nothing was written. Turn choices: modicum adopt --review; do it: modicum adopt --apply"
_MOST_NAMED = 3


@click.command()
@click.option("--review", is_flag=True, help="Open the proposal in your editor, one line for each block.")
@click.option(
    "--apply", "do_apply", is_flag=True, help="Write the pack, and our region in place of the text."
)
@click.option("--undo", "do_undo", is_flag=True, help="Put the originals back, byte for byte.")
@click.option(
    "--force", is_flag=True, help="With --apply: though a tool loses lines. With --undo: over changes."
)
@click.option(
    "--tool",
    "tools",
    multiple=True,
    metavar="ID",
    help="What this tool reads; several with commas. Otherwise: the tools that are found here.",
    shell_complete=complete_tools,
)
@click.option(
    "--yes", is_flag=True, help="With --apply: delete the files that the preview names, without asking."
)
@json_option
def command(**options: Any) -> int:
    """Take over what your instruction files say into one pack, which then reaches every tool.

    Reads what your AI tools read here (CLAUDE.md and its imports, AGENTS.md, rules), finds what is said twice, chooses a tier
    for each block by plain rules, and shows what each tool reads before and after. What cannot be moved without a loss stays in
    its file. Nothing is written without --apply, no file is deleted unasked, and --undo gives back the same bytes.

    \b
    Examples:
      modicum adopt                what would happen, and why
      modicum adopt --review       change what you do not like
      modicum adopt --apply        do it; the originals are kept
      modicum adopt --undo         as it was before
    """
    if sum(map(bool, (options["review"], options["do_apply"], options["do_undo"]))) > 1:
        raise WrongUsage("--review, --apply and --undo are three steps", remedy="give one of them at a time")
    config = load_config()
    tools = tuple(name for names in options["tools"] for name in names.replace(",", " ").split())
    if options["do_undo"]:
        return _undo(config, force=options["force"], as_json=options["as_json"])
    if options["do_apply"]:
        return _apply(config, tools, options)
    if options["review"] and not _review(config, tools, as_json=options["as_json"]):
        return 0
    return _preview(config, tools, as_json=options["as_json"])


def _undo(config: Config, *, force: bool, as_json: bool) -> int:
    done = run.undo(config, force=force)
    if as_json:
        output.say_json({"restored": list(done.changed), "warnings": list(done.warnings)})
        return 0
    say_lines((path, "as it was") for path in done.changed)
    for warning in done.warnings:
        output.warn(warning)
    output.say("Everything is as it was before the adoption. Pages that are left: modicum status")
    return 0


def _apply(config: Config, tools: Sequence[str], options: Mapping[str, Any]) -> int:
    def may_delete(found: Preview) -> bool:
        return bool(options["yes"]) or (can_ask() and says_yes(_question(found)))

    found, done = run.apply(config, tools, may_delete=may_delete, force=options["force"])
    if options["as_json"]:
        fields = _as_json(found)
        fields |= {"applied": True, "originals": done.originals}
        output.say_json(fields | {"warnings": [*found.warnings, *done.warnings]})
        return 0
    _say_tools(found)
    _say_kept(found)
    say_lines((path, "written" if (config.root / path).exists() else "deleted") for path in done.changed)
    for warning in done.warnings:
        output.warn(warning)
    output.say(f"Adopted into {PACK}. The originals are in {done.originals}; back: modicum adopt --undo")
    return 0


def _question(found: Preview) -> str:
    lines = "".join(f"{path} {_becomes(found, path)}.\n" for path in found.moved)
    return f"{lines}Move {'it' if len(found.moved) == 1 else 'them'}? Otherwise what is there stays there."


def _becomes(found: Preview, path: str) -> str:
    """What would become of a file that changes, in words."""
    what = "would be deleted" if found.changes[path] is None else "would be written"
    return f"{what}; {_where(found.moved[path])}" if path in found.moved else what


def _where(pages: Sequence[str]) -> str:
    return f"its text moves to {PACK}" + (f" and from there to {', '.join(pages)}" if pages else "")


def _review(config: Config, tools: Sequence[str], *, as_json: bool) -> bool:
    """Opens the review in an editor; returns False if there is none to open it in."""
    path, gone = run.write_review(config, tools)
    for place in gone:
        output.warn(f"{place} has changed since the last review: look at it again")
    environment = config.environment
    if as_json:
        output.say_json({"review": str(path), "gone": list(gone)})
        return False
    if not (environment.get("VISUAL") or environment.get("EDITOR") or sys.stdout.isatty()):
        output.say(f"{path}\nChange the first words of its lines, then run: modicum adopt")
        return False
    click.edit(filename=str(path), env=dict(environment) if environment is not os.environ else None)
    return True


def _preview(config: Config, tools: Sequence[str], *, as_json: bool) -> int:
    found = run.make_preview(config, tools)
    if as_json:
        output.say_json({**_as_json(found), "applied": False, "warnings": list(found.warnings)})
        return 0
    _say_files(found.proposal)
    _say_tools(found)
    _say_kept(found)
    say_lines((path, _becomes(found, path)) for path in found.changes)
    for warning in found.warnings:
        output.warn(warning)
    output.say(NEXT)
    return 0


def _say_files(proposal: Proposal) -> None:
    rows: list[Row] = []
    for source in proposal.sources:
        fates = Counter(unit.fate for unit in proposal.units if unit.path == source.path)
        counts = (fates["core"], fates["detail"], fates["extended"], fates[SAME], fates["keep"])
        rows.append((source.path, *map(str, counts), ", ".join(source.globs) or "everything"))
    output.table(FILES, rows, right=FILES[1:6])
    for left in proposal.left:
        output.say(f"{left.path} is left as it is: {left.why}.")
    output.say()


def _say_kept(found: Preview) -> None:
    for path, why in found.kept.items():
        output.say(f"{path} stays as it is: {why}.")


def _say_tools(found: Preview) -> None:
    output.table(TOOLS, [_row(tool) for tool in found.tools], right=TOOLS[1:])
    for tool in found.tools:
        for line in tool.losses[:_MOST_NAMED]:
            output.warn(f"{tool.adapter.name} would no longer read: {line}")
        if len(tool.losses) > _MOST_NAMED:
            output.warn(f"{tool.adapter.name}: and {len(tool.losses) - _MOST_NAMED} more (--json has all)")
    output.say()


def _row(tool: ToolChange) -> Row:
    lost = output.coloured(str(len(tool.losses)), output.BAD if tool.losses else output.DIM)
    tokens = f"{tool.tokens_before:,}", f"{tool.tokens_after:,}"
    return (
        tool.adapter.name,
        *tokens,
        str(tool.directives_before),
        str(tool.directives_after),
        str(len(tool.gains)),
        lost,
    )


def _as_json(found: Preview) -> dict[str, object]:
    proposal = found.proposal
    return {
        "files": [_source_as_json(source.path, source.globs) for source in proposal.sources],
        "left": [{"path": left.path, "why": left.why} for left in proposal.left],
        "kept": [{"path": path, "why": why} for path, why in found.kept.items()],
        "blocks": [_unit_as_json(proposal, unit) for unit in proposal.units if unit.path != PACK],
        "tools": [_tool_as_json(tool) for tool in found.tools],
        "changes": [
            {"path": path, "gone": data is None, "moves_to": list(found.moved.get(path, ()))}
            for path, data in found.changes.items()
        ],
        "context": found.context,
    }


def _source_as_json(path: str, globs: tuple[str, ...]) -> dict[str, object]:
    return {"path": path, "globs": list(globs)}


def _unit_as_json(proposal: Proposal, unit: AdoptUnit) -> dict[str, object]:
    same = proposal.units[unit.same_as].place if unit.same_as >= 0 else None
    return {
        "place": unit.place,
        "choice": unit.fate,
        "reason": unit.reason,
        "same_as": same,
        "globs": list(unit.globs),
        "text": unit.text,
    }


def _tool_as_json(tool: ToolChange) -> dict[str, object]:
    return {
        "tool": tool.adapter.id,
        "tokens_before": tool.tokens_before,
        "tokens_after": tool.tokens_after,
        "directives_before": tool.directives_before,
        "directives_after": tool.directives_after,
        "gains": list(tool.gains),
        "losses": list(tool.losses),
    }
