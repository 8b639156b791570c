"""The command modicum team token."""

import shlex
from typing import TYPE_CHECKING

import click

from modicum.app.local_times import local_time
from modicum.app.memory import tokens
from modicum.base.errors import ModicumError
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import json_option
from modicum.cli.questions import can_ask, require_yes
from modicum.cli.store import open_memory
from modicum.memory.model import SCOPES

if TYPE_CHECKING:
    from modicum.memory.people.model import Token


@group
def token() -> None:
    """Make, list and revoke tokens, by which people are known to modicum serve. Only hashes of them are kept.

    \b
    Examples:
      modicum team token new ana
      modicum team token list
    """


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
@click.option("--for", "purpose", type=click.Choice(tokens.PURPOSES), default=tokens.PURPOSES[0], show_default=True,
              help="As whom it speaks; a person's opens the page in the browser, and nothing else.")  # fmt: skip
@click.option("--yes", is_flag=True, help="Do not ask whether everybody shall need a token from now on.")
@json_option
def new(
    name: str, *, projects: tuple[str, ...], reads: tuple[str, ...], scopes: tuple[str, ...], read_only: bool,
    purpose: str, yes: bool, as_json: bool,
) -> int:  # fmt: skip
    """Make a token for a person's agents, for the person or for a script. It is shown this once.

    A token for agents or scripts goes into their settings (MODICUM_TOKEN). One --for person signs that person in to the
    page in the browser; it opens nothing else, so that no program has a use for it, and only somebody at a terminal makes one.

    The first one changes who may come in: from then on modicum serve answers nobody without a token,
    also not programs on this machine. So it asks, or wants --yes. Revoking the last one opens it again.

    \b
    Examples:
      modicum team token new mia
      modicum team token new mia --for person
      modicum team token new ci --for script --projects shop --read-only
    """
    with open_memory() as (_, store):
        if not yes and tokens.would_close(store):
            _agree(name)
        limits = {"projects": projects, "reads": reads, "scopes": scopes}
        secret, kept = tokens.make_token(store, name, **limits, read_only=read_only, purpose=purpose)
    if as_json:
        output.say_json({"token": secret, **_as_json(kept)})
    else:
        output.say(secret)
        output.warn(f"this is token {kept.id} of {kept.name}; it is not shown again")
    return 0


def _agree(name: str) -> None:
    """Says what the first token means, and asks; raises ModicumError unless the answer is yes."""
    meaning = (
        "this is the first token: from now on modicum serve answers nobody without one, "
        "also not agents and plugins on this machine"
    )
    command = f"modicum team token new {shlex.quote(name)} --yes"
    if not can_ask():
        raise ModicumError(meaning, remedy=f"if that is meant: {command}")
    output.warn(meaning)
    require_yes("Make it?", "no token was made", "programs on this machine need none")


@token.command("list")
@json_option
def list_tokens(*, as_json: bool) -> int:
    """List every token: whose it is, and what it may do.

    \b
    Example:
      modicum team token list
    """
    with open_memory() as (_, store):
        found = [_as_json(each) for each in tokens.list_tokens(store)]
    if as_json:
        output.say_json({"tokens": found})
        return 0
    if not found:
        output.say("There are no tokens.")
        return 0
    rows = [
        (str(each["id"]), str(each["name"]), _list(each["projects"]), _list(each["reads"], "-"), _list(each["scopes"]),
         str(each["for"]), "reads" if each["read_only"] else "writes", _state(str(each["revoked_at"])))
        for each in found
    ]  # fmt: skip
    output.table(
        ("Id", "Name", "Projects", "Only read", "Scopes", "For", "May", "State"), rows, right=("Id",)
    )
    return 0


def _state(revoked_at: str) -> str:
    return f"revoked {local_time(revoked_at)}" if revoked_at else "in use"


@token.command("revoke")
@click.argument("which", metavar="NAME|ID")
@json_option
def revoke(which: str, *, as_json: bool) -> int:
    """Revoke the tokens of a person, or one by its number. It holds from the next request on.

    Without any token in use, modicum serve answers every program on this machine again, unless memory is on PostgreSQL.

    \b
    Example:
      modicum team token revoke mia
    """
    with open_memory() as (_, store):
        gone = tokens.revoke_tokens(store, which)
        is_open = tokens.is_open(store)
    if as_json:
        output.say_json({"revoked": [_as_json(each) for each in gone], "open": is_open})
    else:
        output.say(f"{', '.join(f'{each.name} ({each.id})' for each in gone)}: revoked.")
        if is_open:
            output.say("No token is left: modicum serve answers every program on this machine again.")
    return 0


def _as_json(each: "Token") -> dict[str, object]:
    person = each.person
    return {
        "id": each.id, "name": each.name, "projects": [*person.projects], "reads": [*person.reads],
        "scopes": [*person.scopes], "read_only": person.read_only, "for": each.purpose, "created_at": each.created_at,
        "revoked_at": each.revoked_at,
    }  # fmt: skip


def _list(values: object, none: str = "all") -> str:
    return ", ".join(values) if isinstance(values, list) and values else none
