"""modicum backup"""


def test_memory_is_copied_and_restored(two_notes) -> None:
    file = two_notes.project / "monday.db"
    made = two_notes.modicum("backup", "monday.db", "--json")
    again = two_notes.modicum("backup", "monday.db")
    two_notes.modicum("delete", "1", "--hard")
    back = two_notes.modicum("backup", "--restore", "monday.db")

    assert made.json == {"file": "monday.db", "notes": 2, "bytes": file.stat().st_size}
    assert (again.code, "--force" in again.err) == (4, True)
    assert two_notes.modicum("backup", "monday.db", "--force").code == 0
    assert back.out.startswith("Memory is restored from monday.db: 2 notes.\nWhat was there before: ")
    assert "Queue moved to SQLite" in two_notes.modicum("show", "1").out


def test_force_says_nothing_about_a_restore(two_notes) -> None:
    assert two_notes.modicum("backup", "--restore", "--force", "a.db").code == 2
