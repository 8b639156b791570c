"""A store on each of our databases: every test here is a promise that all of them keep."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from modicum.memory.engines.database import Database
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store

DATABASES = ("sqlite", "postgres")


class Clock:
    """A time that stands still unless it is moved."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds

    def pass_(self, *, seconds: float = 0, minutes: float = 0, days: float = 0) -> None:
        self.seconds += seconds + 60 * minutes + 86_400 * days


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session", params=DATABASES)
def make_database(request: pytest.FixtureRequest) -> Callable[[Path], Database]:
    """An empty database for a folder, on each of the engines; one name is one database at a time."""
    if request.param == "sqlite":
        return lambda folder: SqliteDatabase(folder / "memory.db")
    from modicum.memory.engines.postgres import PostgresDatabase

    empty = request.getfixturevalue("empty_schema")
    return lambda folder: PostgresDatabase(empty(folder.name))


@pytest.fixture
def make_store(
    make_database: Callable[[Path], Database], tmp_path: Path, clock: Clock
) -> Iterator[Callable[[str], Store]]:
    """Stores by name, each on a database of its own."""
    made: list[Store] = []

    def make(name: str) -> Store:
        made.append(Store(make_database(tmp_path / name), clock=clock))
        return made[-1]

    yield make
    for store in made:
        store.close()


@pytest.fixture
def store(make_store: Callable[[str], Store]) -> Store:
    return make_store("first")
