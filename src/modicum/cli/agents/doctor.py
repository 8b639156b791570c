"""The command modicum doctor."""

import click

from modicum.app.agents import doctor
from modicum.app.counted import counted
from modicum.app.inject.load import load_knowledge
from modicum.app.memory.engram_data import about_engram_data
from modicum.cli import output
from modicum.cli.agents.costs import cost_as_json, say_costs
from modicum.cli.failures.exit_codes import DONE, FOUND
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
        waiting = 0 if found.problems else store.count_inbox()
    tell("")
    if as_json:
        output.say_json({**found.versions, "memory": place, "waiting": waiting, **_as_json(found)})
    else:
        output.say(", ".join(f"{name} {version}" for name, version in found.versions.items()))
        output.say(f"Memory: {place}, {size:,} bytes")
        if sentence := about_engram_data(config):
            output.warn(sentence)
        if waiting:
            output.say(f"{counted(waiting, 'note')} wait{'s' * (waiting == 1)}: modicum memory inbox")
        _say(found)
    return FOUND if found.problems else DONE


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
        "search": found.search and found.search._asdict(),
        "agents": [cost_as_json(each) for each in found.loaded],
    }


def _say(found: doctor.Examined) -> None:
    if found.search:
        output.say(f"Search: {output.shown(found.search.sentence)}")
    if found.server and found.server.tools:
        server = found.server
        output.say(
            f"MCP server: {counted(len(server.tools), 'tool')}, first answer after {server.seconds:.1f} s"
        )
    if found.loaded:
        output.say()
        say_costs(found.loaded)
        output.say()
    for line in found.failures[-5:]:
        output.say(f"hook   {output.shown(line)}")
    for problem in found.problems:
        output.say(f"wrong  {output.shown(problem)}")
    if not found.problems:
        output.say("Nothing is wrong.")
    elif found.index_mends:
        output.say("Try modicum doctor --fix; your notes are not touched by it.")
