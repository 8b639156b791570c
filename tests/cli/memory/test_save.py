"""modicum save and update"""

import io


def test_a_note_can_be_piped_in(world) -> None:
    world.patch.setattr("sys.stdin", io.StringIO("from a pipe"))
    world.modicum("save", "Piped", "-")

    assert world.modicum("show", "1", "--json").json["content"] == "from a pipe"


def test_another_wording_can_be_piped_in(notes) -> None:
    notes.patch.setattr("sys.stdin", io.StringIO("from a pipe"))
    notes.modicum("update", "1", "--content", "-")

    assert notes.modicum("show", "1", "--json").json["content"] == "from a pipe"
