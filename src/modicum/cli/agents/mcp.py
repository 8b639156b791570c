"""The command modicum mcp."""

import click

from modicum.app.counted import counted
from modicum.cli import output
from modicum.cli.agents.run_mcp import run_mcp
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
    if not only_list:
        return run_mcp(tools, project)
    from modicum.mcp.sets import choose_tools

    return _list([tool.described() for tool in choose_tools(tools).tools.values()], as_json=as_json)


def _list(tools: list[dict[str, object]], *, as_json: bool) -> int:
    import json

    from modicum.engine.tokens import count

    cost = count(json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":")))
    if as_json:
        output.say_json({"tokens": cost, "tools": tools})
        return 0
    output.table(("Tool", "What it does"), [(str(tool["name"]), str(tool["description"])) for tool in tools])
    output.say(f"{counted(len(tools), 'tool')}, {counted(cost, 'token')}")
    return 0
