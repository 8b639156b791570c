"""modicum notice"""

import pytest


def test_notices_come_and_go(world) -> None:
    assert world.modicum("notice", "list").out == "There are no notices.\n"
    assert "Notice 1 is kept" in world.modicum("notice", "add", "  two\n", "words ").out
    world.modicum("notice", "add", "second")
    assert world.modicum("notice", "list").out == "  1  two words\n  2  second\n"
    assert "Notice 1 is gone: two words" in world.modicum("notice", "remove", "1").out
    assert world.modicum("notice", "add", "third", "--json").json["id"] == 3
    assert (
        world.modicum("notice", "remove", "9").err
        == "modicum: there is no notice 9 (modicum notice list shows them)\n"
    )
    assert world.modicum("notice", "remove", "--all").out == "2 notices are gone.\n"
    assert world.modicum("notice", "remove", "--all").out == "0 notices are gone.\n"


def test_notices_are_kept_in_a_file_that_can_be_read(world) -> None:
    world.modicum("notice", "add", "Deploys are frozen")

    assert world.read(".modicum/notices.yaml") == "notices:\n- id: 1\n  text: Deploys are frozen\n"


@pytest.mark.parametrize("words", ["", "  \n"])
def test_a_notice_needs_words(world, words: str) -> None:
    said = world.modicum("notice", "add", words)

    assert said.code == 2
    assert said.err.startswith("modicum: a notice needs some words")


def test_notices_that_cannot_be_read_can_be_cleared(world) -> None:
    world.write(".modicum/notices.yaml", "notices: oops\n")

    assert "start anew with: modicum notice remove --all" in world.modicum("notice", "list").err
    assert world.modicum("notice", "remove", "--all").code == 0
    assert world.modicum("notice", "list").out == "There are no notices.\n"
