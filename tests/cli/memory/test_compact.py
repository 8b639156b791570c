"""modicum memory compact"""


def test_old_notes_stand_in_columns(notes) -> None:
    for number in range(6):
        notes.modicum("save", f"More {number}", f"A fox and {number} more.")
    lines = notes.modicum("memory", "compact", "--before", "2999-01-01").out.splitlines()

    assert lines[0].startswith("#1   2")
    assert lines[-1].startswith("#11  2")
