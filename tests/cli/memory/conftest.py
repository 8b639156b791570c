"""Worlds with notes in them."""

import pytest


@pytest.fixture
def two_notes(world):
    """A world with two related notes."""
    world.modicum("save", "Queue moved to SQLite", "Redis needed a host of its own.", "--type", "decision")
    world.modicum("save", "Lock errors", "Fixed with BEGIN IMMEDIATE.", "--type", "bugfix")
    world.modicum("memory", "relate", "1", "2")
    return world


@pytest.fixture
def notes(world):
    """A world with five notes in two projects."""
    for number in range(4):
        world.modicum(
            "save", f"Note {number}", f"The {'quick brown fox ' * 20} number {number}.", "--type", "decision"
        )
    world.modicum("save", "Elsewhere", "A fox of another project.", "--project", "other")
    return world
