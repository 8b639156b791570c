"""What one tool reads, and what can be chosen beside it."""

import pytest

from modicum.app.reading.tried_settings import TriedSettings
from modicum.app.workbench.reading import AskedReading, keep_and_write, read_tool
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.engine.page import Detail


@pytest.fixture
def project(world):
    world.pack("house", context="# House\n\nBe kind.\n")
    world.write("AGENTS.md", "Never deploy on Fridays.\n")
    return world


def test_a_reading_is_what_is_on_disk_until_something_is_tried(project) -> None:
    asked = AskedReading(TriedSettings("codex"))
    there = read_tool(load_config(), asked)
    after = read_tool(load_config(), asked._replace(tried=TriedSettings("codex", Detail.SUMMARY)))

    assert there is not None
    assert after is not None
    assert (there.text.on_disk, after.text.on_disk) == (True, False)
    assert "".join(each.text for each in there.text.passages) == "Never deploy on Fridays.\n"
    assert there.text.sums.bytes == len("Never deploy on Fridays.\n")
    assert "Be kind." in "".join(each.text for each in after.text.passages)
    assert after.choices is not None
    assert ("house", True) in [(name, is_on) for name, _, is_on in after.choices.packs]


def test_choices_are_made_only_where_they_are_asked_for(project) -> None:
    found = read_tool(load_config(), AskedReading(TriedSettings("codex"), is_whole=False))

    assert found is not None
    assert found.choices is None


def test_without_a_name_the_first_tool_that_is_here_is_read(project) -> None:
    asked = AskedReading(TriedSettings(""))
    assert read_tool(load_config(), asked) is None

    project.write("CLAUDE.md", "Be brief.\n")

    found = read_tool(load_config(), asked)
    assert found is not None
    assert found.text.adapter.id == "claude-code"
    with pytest.raises(ModicumError, match='no tool "nope"'):
        read_tool(load_config(), AskedReading(TriedSettings("nope")))


def test_what_is_kept_is_written_at_once(project) -> None:
    kept, written = keep_and_write(load_config(), TriedSettings("codex", Detail.FULL, packs=("house",)))

    assert any("codex" in file for file in kept)
    assert written
    assert "Be kind." in project.read("AGENTS.md")
