"""modicum memory compact"""

import re


def test_old_notes_stand_in_columns(notes) -> None:
    for number in range(6):
        notes.modicum("save", f"More {number}", f"A fox and {number} more.")
    lines = notes.modicum("memory", "compact", "--before", "2999-01-01").out.splitlines()

    assert len(lines) == 10
    assert all(re.match(r"n-[0-9a-z]{8}  2", line) for line in lines)
