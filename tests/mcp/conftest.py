"""A store of its own, and a way to call our tools."""

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
def desk(config: Config, tmp_path: Path) -> Iterator[ToolContext]:
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    yield ToolContext(config, store, "shop")
    store.close()


@pytest.fixture
def ask(desk: ToolContext):
    """Call one of our own tools."""
    return sys.modules["tool_calls"].caller(desk, "all")
