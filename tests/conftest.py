"""Random tests are repeatable in CI and search further at home; MODICUM_EXAMPLES asks for more."""

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "modicum",
    max_examples=int(os.environ.get("MODICUM_EXAMPLES", "100")),
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("modicum")


# Left out by scripts/test --quick: processes that are killed, servers under load, long random runs.
SLOW = (
    "app/adopt/test_laws.py",
    "app/adopt/test_run.py",
    "app/agents",
    "app/inject/test_limits.py",
    "app/inject/test_round_trip.py",
    "app/inject/test_shared.py",
    "app/memory/test_recall.py",
    "app/memory/upkeep/test_backup.py",
    "app/reading/test_see_live.py",
    "app/specs/test_changes.py",
    "app/specs/test_check.py",
    "ci",
    "cli/agents",
    "cli/packs/test_project_sources.py",
    "cli/teams",
    "cli/test_page_text.py",
    "compat/engram/test_openapi.py",
    "docs/test_try.py",
    "hooks/test_run.py",
    "http/limits/test_connections.py",
    "http/test_openapi.py",
    "http/test_server.py",
    "mcp/test_early.py",
    "mcp/test_promises.py",
    "mcp/test_server.py",
    "mcp/test_stdio.py",
    "mcp/tools/test_specs.py",
    "memory/engines/test_concurrency.py",
    "memory/sync/test_run.py",
    "packs/test_sources.py",
    "targets/test_apply.py",
    "targets/test_crash.py",
    "test_budget_law.py",
    "test_chaos.py",
    "test_other_systems.py",
    "test_patterns.py",
    "test_postgres.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(Path(__file__).parent).as_posix().startswith(SLOW):
            item.add_marker("slow")


def load(name: str) -> ModuleType:
    """A module beside this one."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


load("world")
load("console")
load("fake_model")
load("tiny_network")
load("tool_calls")
load("serving")
load("filter_oracle")
load("hook_place")
load("spec_place")
load("repositories")
load("github_runner")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """A throw-away home and project."""
    return sys.modules["world"].World(tmp_path, monkeypatch, capsys)


@pytest.fixture
def git_world(world):
    """A throw-away home and project, which is a real repository, and the git program."""
    return sys.modules["repositories"].with_git(world)


@pytest.fixture
def starters(world) -> None:
    """The starter packs are turned on, for tests that need pages of some length and are about something else."""
    world.starters()


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """A database of this process on a real server. One that does not start is a failure, never a skip."""
    import psycopg

    folder = tmp_path_factory.getbasetemp()
    with (
        pytest.MonkeyPatch.context() as patch,
        load("postgres").shared(folder if worker_id == "master" else folder.parent) as url,
    ):
        # The pool's threads draw random numbers, which Hypothesis would take for those of a strategy.
        patch.setattr("psycopg_pool.base.random", Random().random)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {worker_id}".encode())
        yield url.replace("/postgres?", f"/{worker_id}?")


@pytest.fixture(scope="session")
def empty_schema(postgres_url: str) -> Iterator[Callable[[str], str]]:
    """The URL of a schema by name, with empty tables: made once, and emptied row by row, which is quicker.

    All are emptied by one connection, as a new one has to learn the tables first, which takes ten times as long.
    """
    import psycopg

    from modicum.memory.engines.postgres import PostgresDatabase

    made: set[str] = set()

    def empty(name: str) -> str:
        url = f"{postgres_url}&options=-csearch_path%3D{name},public"
        if name not in made:
            PostgresDatabase(url).close()
            made.add(name)
        connection.execute(f"SET search_path TO {name}, public;".encode() + load("postgres").EMPTY)
        return url

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield empty
