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


def test_a_damaged_header_is_said_to_be_damage_and_a_restore_replaces_it(two_notes) -> None:
    two_notes.modicum("backup", "monday.db")
    memory = two_notes.home / ".local/share/modicum/memory.db"
    damaged = bytearray(memory.read_bytes())
    damaged[47] = 0xFF  # the format of the tables
    memory.write_bytes(damaged)

    said = two_notes.modicum("recall")
    back = two_notes.modicum("backup", "--restore", "monday.db")

    assert (said.code, said.out, "it is damaged (restore a backup" in said.err) == (4, "", True)
    assert back.code == 0
    assert "Queue moved to SQLite" in two_notes.modicum("show", "1").out
