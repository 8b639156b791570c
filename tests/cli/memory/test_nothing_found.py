"""Where nothing is found, the reply says why it may be."""


def test_what_waits_in_the_inbox_is_said_where_nothing_is_found(world) -> None:
    world.patch.setenv("MODICUM_GATE", "inbox")
    world.patch.setenv("CLAUDECODE", "1")
    for title in ("Queue", "Pool"):
        assert world.modicum("save", title, f"The {title} moved to SQLite.").code == 0

    assert world.modicum("search", "sqlite").out == (
        "No note answers that. 2 notes wait in the inbox: modicum memory inbox.\n"
    )
    world.modicum("memory", "inbox", "drop", "--all")
    assert world.modicum("search", "sqlite").out == "No note answers that.\n"
