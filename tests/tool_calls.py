"""Calling MCP tools as a client does, for the tests of our tools and of those of other systems."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from modicum.base.config import Config, load_config
from modicum.mcp.server import call
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext


class Heard(NamedTuple):
    """What a tool answered."""

    text: str
    data: dict[str, Any]
    failed: bool


Ask = Callable[..., Heard]


def shop_config(tmp_path: Path) -> Config:
    """The configuration of a throw-away project called shop, with the starter packs."""
    home = tmp_path / "home"
    project = home / "shop"
    (project / ".git").mkdir(parents=True)
    (project / ".modicum").mkdir()
    (project / ".modicum" / "config.yaml").write_text("use: [git, modicum, reviews, testing]\n")
    environment = {"MODICUM_HOME": str(home / "modicum"), "HOME": str(home)}
    return load_config(environment, project)


def caller(context: ToolContext, *words: str) -> Ask:
    """Returns a function that calls one of the tools that some words choose."""
    offered = choose_tools(words)

    def ask(name: str, /, **arguments: object) -> Heard:
        result: Any = call(context, offered, name, arguments)
        (content,) = result["content"]
        return Heard(content["text"], result.get("structuredContent", {}), result.get("isError", False))

    return ask
