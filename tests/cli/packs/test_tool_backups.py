"""Backups of tools' files: listed, and put back byte for byte."""

import os

import pytest

MINE = b"# Mine\r\n\r\nH\xc3\xa4nde weg.\r\n"


@pytest.fixture
def edited(world):
    """A project whose CLAUDE.md had words of the user before we wrote to it, and an edit of our region after."""
    world.pack("mine", "Our words.")
    world.write("CLAUDE.md", MINE)
    world.modicum("inject", "--tool", "claude-code")
    world.write("CLAUDE.md", world.read("CLAUDE.md").replace("Our words.", "My words."))
    world.modicum("inject", "--tool", "claude-code")
    return world


def names(world, *more: str) -> list[str]:
    return [each["name"] for each in world.modicum("tool", "backups", "--json", *more).json["backups"]]


def test_backups_are_listed_with_file_time_and_size(edited) -> None:
    listed = edited.modicum("tool", "backups", "--json").json["backups"]
    said = edited.modicum("tool", "backups").out

    assert {each["file"] for each in listed} == {str(edited.path("CLAUDE.md"))}
    assert len(listed) == 2
    assert min(each["bytes"] for each in listed) == len(MINE)
    assert all(each["name"] in said for each in listed)


def test_a_backup_is_put_back_byte_for_byte_and_what_was_there_is_kept(edited) -> None:
    before = edited.path("CLAUDE.md").read_bytes()
    first = min(names(edited), key=lambda name: int(name.partition(".")[2]))
    said = edited.modicum("tool", "restore", first)

    assert said.code == 0
    assert edited.path("CLAUDE.md").read_bytes() == MINE
    newest = max(names(edited), key=lambda name: int(name.partition(".")[2]))
    edited.modicum("tool", "restore", newest)
    assert edited.path("CLAUDE.md").read_bytes() == before


def test_a_file_that_is_gone_comes_back(edited) -> None:
    edited.path("CLAUDE.md").unlink()
    said = edited.modicum("tool", "restore", names(edited)[0], "--json")

    assert (said.code, said.json["kept"]) == (0, None)
    assert edited.path("CLAUDE.md").exists()


def test_backups_of_another_project_are_listed_only_on_request(edited) -> None:
    other = edited.home / "other"
    (other / ".git").mkdir(parents=True)
    edited.patch.chdir(other)

    assert names(edited) == []
    assert "modicum tool backups --all" in edited.modicum("tool", "backups").out
    assert len(names(edited, "--all")) == 2


def test_a_wrong_name_is_told(world) -> None:
    said = world.modicum("tool", "restore", "nope")

    assert said.code == 4
    assert said.err == 'modicum: there is no backup "nope" (modicum tool backups --all lists them)\n'


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights are others here")
def test_a_read_only_file_is_left_alone(edited) -> None:
    file = edited.path("CLAUDE.md")
    before = file.read_bytes()
    file.chmod(0o444)
    said = edited.modicum("tool", "restore", names(edited)[-1])

    assert said.code == 4
    assert file.read_bytes() == before
