"""A desk with a store of its own, and a way to call the tools at it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from modicum.base.config import Config, load_config
from modicum.mcp.server import call
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store


class Heard(NamedTuple):
    """What a tool answered."""

    text: str
    data: dict[str, Any]
    failed: bool


def heard(result: dict[str, Any]) -> Heard:
    (content,) = result["content"]
    return Heard(content["text"], result.get("structuredContent", {}), result.get("isError", False))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    home = tmp_path / "home"
    project = home / "shop"
    (project / ".git").mkdir(parents=True)
    return load_config({"MODICUM_HOME": str(home / "modicum"), "HOME": str(home)}, project)


@pytest.fixture
def desk(config: Config, tmp_path: Path) -> Iterator[ToolContext]:
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    yield ToolContext(config, store, "shop")
    store.close()


Ask = Callable[..., Heard]


@pytest.fixture
def ask(desk: ToolContext) -> Ask:
    """Call one of our own tools."""
    tools = choose_tools(["all"])
    return lambda name, /, **arguments: heard(call(desk, tools, name, arguments))


@pytest.fixture
def ask_engram(desk: ToolContext) -> Ask:
    tools = choose_tools(["engram"])
    return lambda name, /, **arguments: heard(call(desk, tools, name, arguments))


@pytest.fixture
def ask_hoofy(desk: ToolContext) -> Ask:
    tools = choose_tools(["hoofy"])
    return lambda name, /, **arguments: heard(call(desk, tools, name, arguments))
