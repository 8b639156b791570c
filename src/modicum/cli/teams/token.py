"""modicum token and modicum audit"""

import time

import click

from modicum.cli import output
from modicum.cli.options import json_option, memory
from modicum.memory.model import SCOPES, Query
from modicum.memory.people import tokens
from modicum.memory.times import stamp


@click.group()
def token() -> None:
    """Tokens by which people are known to modicum serve. Only hashes of them are kept."""


def _words(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in value.split(","))))


@token.command("new")
@click.argument("name")
@click.option(
    "--projects", default="", callback=_words, metavar="A,B", help="Only these are read and written."
)
@click.option(
    "--reads", default="", callback=_words, metavar="A,B", help="These are read, too, and not written."
)
@click.option(
    "--scopes", default="", callback=_words, metavar="A,B", help=f"Only these of {', '.join(SCOPES)}."
)
@click.option("--read-only", is_flag=True, help="Nothing may be written.")
@json_option
def new(
    name: str, *, projects: tuple[str, ...], reads: tuple[str, ...], scopes: tuple[str, ...], read_only: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Make a token for a person. It is shown this once.

    \b
    Examples:
      modicum token new mia
      modicum token new ci --projects shop --scopes project --read-only
    """
    with memory() as (_, store):
        secret, kept = tokens.new_token(
            store.database, name, now=stamp(time.time()), projects=projects, reads=reads, scopes=scopes,
            read_only=read_only, by=store.who,
        )  # fmt: skip
    if as_json:
        output.say_json({"token": secret, **_told(kept)})
    else:
        output.say(secret)
        output.warn(f"this is token {kept.id} of {kept.name}; it is not shown again")
    return 0


@token.command("list")
@json_option
def list_tokens(*, as_json: bool) -> int:
    """Every token: whose it is, and what it may.

    \b
    Example:
      modicum token list
    """
    with memory() as (_, store):
        found = [_told(each) for each in tokens.tokens(store.database)]
    if as_json:
        output.say_json({"tokens": found})
        return 0
    if not found:
        output.say("There are no tokens.")
        return 0
    rows = [
        (str(each["id"]), str(each["name"]), _list(each["projects"]), _list(each["reads"], "-"), _list(each["scopes"]),
         "reads" if each["read_only"] else "writes", str(each["revoked_at"])[:16] or "in use")
        for each in found
    ]  # fmt: skip
    output.table(("Id", "Name", "Projects", "Only read", "Scopes", "May", "Revoked"), rows, right=("Id",))
    return 0


@token.command("revoke")
@click.argument("which", metavar="NAME|ID")
@json_option
def revoke(which: str, *, as_json: bool) -> int:
    """Take back the tokens of a person, or one by its number. It holds from the next request on.

    \b
    Example:
      modicum token revoke mia
    """
    with memory() as (_, store):
        gone = tokens.revoke(store.database, which, now=stamp(time.time()), by=store.who)
    if as_json:
        output.say_json({"revoked": [_told(each) for each in gone]})
    else:
        output.say(f"{', '.join(f'{each.name} ({each.id})' for each in gone)}: revoked.")
    return 0


@click.command()
@click.option("--project", default="", metavar="NAME", help="Only of this project.")
@click.option("--person", default="", metavar="NAME", help="Only what this person did.")
@click.option("--limit", default=50, show_default=True, metavar="N", help="At most so many entries.")
@click.option("--cursor", default="", metavar="WORD", help="Go on where an earlier list ended.")
@json_option
def audit(*, project: str, person: str, limit: int, cursor: str, as_json: bool) -> int:
    """Who saved, changed and deleted what, the latest first. What is personal to others is not listed.

    \b
    Example:
      modicum audit --project shop --person mia
    """
    with memory() as (_, store):
        found = store.audit(Query(project=project, limit=limit, cursor=cursor), person=person)
    if as_json:
        output.say_json({"entries": [each._asdict() for each in found.items], "next": found.next or None})
        return 0
    if not found.items:
        output.say("There are no entries. What somebody with a name writes is listed, and nothing else.")
        return 0
    rows = [(e.at[:19], e.person, e.action, f"{e.kind} {e.item}", e.project, e.title) for e in found.items]
    output.table(("When", "Who", "Did", "What", "Project", "Title"), rows)
    if found.next:
        output.say(f"More: modicum audit --cursor {found.next}")
    return 0


def _told(each: tokens.Token) -> dict[str, object]:
    person = each.person
    return {
        "id": each.id, "name": each.name, "projects": [*person.projects], "reads": [*person.reads],
        "scopes": [*person.scopes], "read_only": person.read_only, "created_at": each.created_at,
        "revoked_at": each.revoked_at,
    }  # fmt: skip


def _list(values: object, none: str = "all") -> str:
    return ", ".join(values) if isinstance(values, list) and values else none
