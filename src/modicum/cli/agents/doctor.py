"""The command modicum doctor."""

from textwrap import fill

import click

from modicum.app.agents import doctor
from modicum.app.inject.load import load_knowledge
from modicum.cli import output
from modicum.cli.options import json_option
from modicum.cli.store import open_memory


@click.command()
@click.option("--fix", is_flag=True, help="Make the search index anew.")
@json_option
def command(*, fix: bool, as_json: bool) -> int:
    """Check everything from end to end: memory, hooks, the MCP server, and what each agent that is set up loads.

    Hooks and server are run once, as the agents run them. Exit 1 if something is wrong.

    \b
    Examples:
      modicum doctor
      modicum doctor --fix
    """
    tell = _say_nothing if as_json else _say_progress
    tell("memory")
    with open_memory() as (config, store):
        if fix:
            tell("memory, and making its index anew")
            store.rebuild_index()
        found = doctor.examine(config, load_knowledge(config), store, tell)
        place, size = store.database.place, store.database.size()
    tell("")
    if as_json:
        output.say_json({**found.versions, "memory": place, **_as_json(found)})
    else:
        output.say(", ".join(f"{name} {version}" for name, version in found.versions.items()))
        output.say(f"Memory: {place}, {size:,} bytes")
        _say(found)
    return 1 if found.problems else 0


def _say_progress(what: str) -> None:
    output.say_progress(f"Checking {what} …" if what else "")


def _say_nothing(_: str) -> None:
    pass


def _as_json(found: doctor.Examined) -> dict[str, object]:
    server = found.server
    return {
        "problems": [*found.problems],
        "failures": [*found.failures],
        "server": server
        and {"tools": [tool["name"] for tool in server.tools], "seconds": round(server.seconds, 3)},
        "agents": [
            {
                "id": each.tool,
                "files": dict(each.files),
                "hook": each.hook,
                "hook_bytes": each.hook_bytes,
                "hook_seconds": round(each.hook_seconds, 3) if each.hook_seconds >= 0 else None,
                "tools": each.server,
                "tools_note": each.server_note,
                "cannot": [*each.cannot],
                "total": each.total,
            }
            for each in found.loaded
        ],
    }


def _say(found: doctor.Examined) -> None:
    if found.server and found.server.tools:
        server = found.server
        output.say(f"MCP server: {len(server.tools)} tools, first answer after {server.seconds:.1f} s")
    if found.loaded:
        output.say()
        _say_costs(found.loaded)
        output.say()
    for line in found.failures[-5:]:
        output.say(f"hook   {output.shown(line)}")
    for problem in found.problems:
        output.say(f"wrong  {output.shown(problem)}")
    if not found.problems:
        output.say("Nothing is wrong.")
    elif any("index" in problem for problem in found.problems):
        output.say("Try modicum doctor --fix; your notes are not touched by it.")


def _say_costs(loaded: tuple[doctor.AgentLoad, ...]) -> None:
    """What each agent pays for in every session, in tokens, and what its hook takes."""
    head = ("Agent", "Files", "Hook", "Tools", "Tokens", "Hook ms")
    rows = [
        (
            each.name[:28],
            output.amount(sum(each.files.values())),
            output.amount(each.hook),
            output.amount(each.server),
            output.amount(each.total),
            f"{each.hook_seconds * 1000:.0f}" if each.hook_seconds >= 0 else "",
        )
        for each in loaded
    ]
    output.table(head, rows, right=head[1:])
    for each in loaded:
        if each.files:
            output.say(f"  {each.name} reads {', '.join(each.files)}"[:80])
        notes = [f"tools: {each.server_note}"] if each.server_note else []
        for sentence in (*notes, *each.cannot):
            output.say(fill(f"{each.name}: {sentence}", 80, initial_indent="  ", subsequent_indent="    "))
