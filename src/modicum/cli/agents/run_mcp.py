"""Runs the MCP server of modicum mcp; parses its plain options without click, because agents wait for the start."""

import os
import signal
from collections.abc import Sequence

from modicum.base.config import load_config


def plain_options(arguments: Sequence[str]) -> tuple[tuple[str, ...], str] | None:
    """Returns the tools and the project with which to run `modicum mcp`; None if only click can parse the options."""
    words, tools, project = iter(arguments), [], ""
    for word in words:
        if word not in ("--tools", "--project") or (given := next(words, "-")).startswith("-"):
            return None
        if word == "--tools":
            tools.append(given)
        else:
            project = given
    return tuple(tools), project


def run_mcp(tools: Sequence[str], project: str) -> int:
    """Runs `modicum mcp` with options that are parsed already: serves the chosen tools until the client closes the input."""
    from modicum.base.extras import check_mcp
    from modicum.mcp.early import EarlyAnswers
    from modicum.mcp.sets import choose_tools
    from modicum.mcp.stdio import StdioStreams, serve_stdio

    check_mcp()
    offered, config = choose_tools(tools), load_config()
    _stop_at_once()
    streams = StdioStreams(EarlyAnswers(offered))
    streams.start()
    # The client has its list of tools while these are imported, which takes several times as long as all above.
    from modicum.app.memory.notes import open_store
    from modicum.app.memory.upkeep.meaning import found_by_meaning
    from modicum.mcp.server import make_server
    from modicum.mcp.tool import ToolContext

    store = open_store(config, "mcp")
    try:
        server = make_server(ToolContext(config, store, project), offered)
        with found_by_meaning(config, store):
            serve_stdio(server, streams)
    finally:
        store.close()
    return 0


def _stop_at_once() -> None:
    """Makes signals end the process: a thread waits for input, and would keep it alive. What is written is written."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
