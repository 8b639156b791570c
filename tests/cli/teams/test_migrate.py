"""modicum team migrate, and memory on PostgreSQL or wherever the configuration says."""

import re

import pytest


@pytest.fixture
def url(empty_schema) -> str:
    return empty_schema("cli")


def test_memory_on_postgresql_is_the_same_memory(world, url: str) -> None:
    world.patch.setenv("MODICUM_DATABASE_URL", url)
    world.patch.setenv("USER", "mia")
    said = world.modicum("save", "Queue moved", "Redis needed a host", "--topic", "queue/engine").out
    assert re.fullmatch(r'n-[0-9a-z]{6} "Queue moved" created\n', said)
    assert "Redis needed a host" in world.modicum("show", said[:6]).out
    assert "Queue moved" in world.modicum("search", "why did we leave redis").out
    assert "Queue moved" in world.modicum("recall").out
    assert "1 note," in world.modicum("memory", "stats").out
    assert "postgresql://" in world.modicum("doctor").out
    assert world.modicum("doctor", "--fix").code == 0
    assert "mia" in world.modicum("team", "log").out
    world.patch.setenv("USER", "ben")
    world.modicum("save", "mine", "alone", "--scope", "personal")
    world.patch.setenv("MODICUM_PERSON", "mia")
    assert "mine" not in world.modicum("recall").out


def test_a_store_moves_there_and_back(world, url: str) -> None:
    world.patch.setenv("USER", "mia")
    world.modicum("save", "walrus", "of the sea", "--scope", "personal")
    file = world.home / ".local" / "share" / "modicum" / "memory.db"
    there = world.modicum("team", "migrate", "--from", str(file), "--to", url)
    again = world.modicum("team", "migrate", "--from", str(file), "--to", url, "--json")
    back = world.modicum("team", "migrate", "--from", url, "--to", "copy.db")

    assert there.code == back.code == 0
    assert "Both are the same." in back.out
    assert {table["came"] for table in again.json["tables"]} == {0}
    world.patch.setenv("MODICUM_DATABASE_URL", url)
    assert "walrus" in world.modicum("recall").out
    world.patch.setenv("MODICUM_DATABASE_URL", str(world.path("copy.db")))
    world.patch.setenv("MODICUM_PERSON", "mia")  # whose folder it has become there
    assert "walrus" in world.modicum("recall").out


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("nowhere.db", "x.db", "no such file"),
        ("a.db", "a.db", "source is the target"),
        ("a.db", "mysql://h/d", "mysql"),
    ],
)
def test_what_cannot_be_moved_is_told(world, source: str, target: str, told: str) -> None:
    world.patch.setenv("MODICUM_DATABASE_URL", str(world.path("a.db")))
    world.modicum("save", "a", "b")
    world.patch.delenv("MODICUM_DATABASE_URL")
    paths = [name if "://" in name else str(world.path(name)) for name in (source, target)]
    said = world.modicum("team", "migrate", "--from", paths[0], "--to", paths[1])

    assert said.code == 4
    assert told in said.err


def test_a_project_cannot_say_where_memory_is(world) -> None:
    world.write(".modicum/config.yaml", "database: postgresql://evil.example/notes\n")

    assert 'a project may not set "database"' in world.modicum("memory", "stats").err


def test_the_config_says_where_memory_is(world) -> None:
    place = world.path("~/elsewhere.db")
    world.write("~/.config/modicum/config.yaml", f"database: {place}\nperson: mia\n")
    world.modicum("save", "a", "b")

    assert str(place) in world.modicum("memory", "stats").out
    assert "mia" in world.modicum("team", "log").out
