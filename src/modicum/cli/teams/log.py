"""The command modicum team log."""

import click

from modicum.app.local_times import local_time
from modicum.app.memory.logs import AUDITED, list_audit
from modicum.cli import output
from modicum.cli.options import item_count, json_option
from modicum.cli.store import open_memory


@click.command("log")
@click.option("--project", default="", metavar="NAME", help="Only of this project.")
@click.option("--person", default="", metavar="NAME", help="Only what this person did.")
@click.option(
    "--limit",
    type=item_count,
    default=AUDITED,
    show_default=True,
    metavar="N",
    help="At most so many entries.",
)
@click.option("--cursor", default="", metavar="WORD", help="Go on where an earlier list ended.")
@json_option
def log(*, project: str, person: str, limit: int, cursor: str, as_json: bool) -> int:
    """List who saved, changed and deleted what, the latest first. What is personal to others is not listed.

    \b
    Example:
      modicum team log --project shop --person mia
    """
    with open_memory() as (_, store):
        found = list_audit(store, project, person, limit, cursor)
    if as_json:
        output.say_json({"entries": [each._asdict() for each in found.items], "next": found.next or None})
        return 0
    if not found.items:
        output.say("There are no entries. What somebody with a name writes is listed, and nothing else.")
        return 0
    rows = [
        (local_time(e.at), e.person, e.action, f"{e.kind} {e.item}", e.project, e.title) for e in found.items
    ]
    output.table(("When", "Who", "Did", "What", "Project", "Title"), rows)
    if found.next:
        output.say(f"More: modicum team log --cursor {found.next}")
    return 0
