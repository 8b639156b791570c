"""The port and the folders that users of engram expect `modicum serve` to know."""

import pytest

from modicum.base.errors import ModicumError
from modicum.cli.agents.serve import usual_port


@pytest.mark.parametrize(
    ("environment", "port"),
    [
        ({}, 7437),
        ({"ENGRAM_PORT": "8123"}, 8123),
        ({"MODICUM_PORT": "8124", "ENGRAM_PORT": "8123"}, 8124),
        ({"MODICUM_PORT": " ", "ENGRAM_PORT": "8123"}, 8123),
    ],
)
def test_theusual_port_comes_from_the_environment(environment: dict[str, str], port: int) -> None:
    assert usual_port(environment) == port


@pytest.mark.parametrize("word", ["high", "99999", "-1", "٣"])
def test_ausual_port_that_is_none_is_told_with_its_variable(word: str) -> None:
    with pytest.raises(ModicumError, match="ENGRAM_PORT is"):
        usual_port({"ENGRAM_PORT": word})


def test_serve_takes_theusual_port_as_engram_does(world) -> None:
    assert "8" * 6 in world.modicum("serve", "888888").err
    assert "[PORT]" in world.modicum("serve", "--help").out


def test_the_doctor_tells_where_the_notes_of_engram_are(world) -> None:
    world.patch.setenv("ENGRAM_DATA_DIR", str(world.home / "engram"))
    assert f"there is no {world.home}/engram/engram.db" in world.modicum("doctor").err

    world.write("~/engram/engram.db", "")
    said = world.modicum("doctor").err
    assert f"modicum import {world.home}/engram/engram.db takes its notes over" in said
    assert "MODICUM_HOME" in said


def test_the_environment_names_the_project_as_engram_does(world) -> None:
    world.patch.setenv("ENGRAM_PROJECT", "Shop")
    world.modicum("save", "A", "b")
    assert "n-" in world.modicum("recall", "--project", "shop").out

    world.patch.setenv("MODICUM_PROJECT", "other")
    assert "There are no notes" in world.modicum("recall").out


def test_context_names_the_command_that_does_it(world) -> None:
    said = world.modicum("context", "shop")

    assert said.code == 2
    assert 'did you mean "recall --project NAME"?' in said.err
