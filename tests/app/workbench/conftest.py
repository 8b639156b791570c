"""A store on a file, for what the screens of memory show and do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(SqliteDatabase(tmp_path / "memory.db"), dedupe_seconds=0)
    yield found
    found.close()
