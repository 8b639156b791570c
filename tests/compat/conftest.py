"""A store of its own, and a way to call the tools of another system."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from modicum.base.config import Config
from modicum.mcp.tool import ToolContext
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store


@pytest.fixture
def config(tmp_path: Path) -> Config:
    found: Config = sys.modules["tool_calls"].shop_config(tmp_path)
    return found


@pytest.fixture
def context(config: Config, tmp_path: Path) -> Iterator[ToolContext]:
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    yield ToolContext(config, store, "shop")
    store.close()


@pytest.fixture
def ask_engram(context: ToolContext):
    return sys.modules["tool_calls"].caller(context, "engram")


@pytest.fixture
def ask_hoofy(context: ToolContext):
    return sys.modules["tool_calls"].caller(context, "hoofy")
