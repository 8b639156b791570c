"""The command modicum mcp."""

import os
import signal

import click

from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.options import json_option, project_option


@click.command()
@click.option(
    "--tools",
    multiple=True,
    metavar="NAMES",
    help="core (default), memory, packs, specs, all; engram or hoofy for their names; or single tools.",
)
@project_option
@click.option(
    "--list", "only_list", is_flag=True, help="Say which tools that is and what they cost, and stop."
)
@json_option
def command(*, tools: tuple[str, ...], project: str, only_list: bool, as_json: bool) -> int:
    """Serve memory, packs and specs to the agent that starts this, over standard input and output (MCP).

    \b
    Examples:
      modicum mcp
      modicum mcp --tools core,packs --project shop
      modicum mcp --tools all --list
      claude mcp add modicum -- modicum mcp
    """
    from modicum.mcp.sets import choose_tools

    chosen = choose_tools(tools)
    if only_list:
        return _list([tool.described() for tool in chosen.tools.values()], as_json=as_json)
    # The SDK is by far the slowest import there is here, so everything that can fail has failed before.
    from modicum.app.memory.notes import open_store
    from modicum.app.memory.query import project_of
    from modicum.mcp.server import make_server, serve_stdio
    from modicum.mcp.tool import ToolContext

    config = load_config()
    store = open_store(config)
    # A thread waits for input, and would keep the process alive. What is written is written.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    try:
        serve_stdio(make_server(ToolContext(config, store, project_of(config, project)), chosen))
    finally:
        store.close()
    return 0


def _list(tools: list[dict[str, object]], *, as_json: bool) -> int:
    import json

    from modicum.engine.tokens import count

    cost = count(json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":")))
    if as_json:
        output.say_json({"tokens": cost, "tools": tools})
        return 0
    output.table(("Tool", "What it does"), [(str(tool["name"]), str(tool["description"])) for tool in tools])
    output.say(f"{len(tools)} tools, {cost:,} tokens")
    return 0
