"""Every command that changes memory, taken back by modicum undo, on both engines."""

from pathlib import Path

import pytest

COMMANDS = (
    ("save", "Vacuum", "The nightly vacuum runs at 03:00 because backups come first."),
    ("save", "Doubts", "Nobody knows why the lamp is on.", "--type", "preference"),
    ("update", "1", "--content", "Redis lost jobs on restart, since its log was off."),
    ("delete", "1", "2"),
    ("delete", "--query", "redis", "--yes"),
    ("import", "notes.md", "--yes"),
    ("memory", "pin", "1"),
    ("memory", "relate", "1", "2", "--type", "supersedes"),
    ("memory", "relate", "1", "2", "--remove"),
    ("memory", "projects", "merge", "project", "--into", "other"),
    ("memory", "projects", "rename", "project", "renamed"),
    ("memory", "projects", "remove", "empty"),
    (
        "memory",
        "compact",
        "--before",
        "2999-01-01",
        "--ids",
        "1,2",
        "--title",
        "Both",
        "--summary",
        "Two in one.",
    ),
    ("memory", "audit", "--apply"),
    ("memory", "inbox", "accept", "--all"),
    ("memory", "inbox", "drop", "--all"),
    ("memory", "inbox", "edit", "4", "--title", "Waits no more"),
    ("memory", "restore", "3"),
    ("memory", "sessions", "start", "s9"),
)


@pytest.fixture(params=["sqlite", "postgres"])
def filled(request, world):
    if request.param == "postgres":
        url = request.getfixturevalue("empty_schema")("undo_everything")
        world.patch.setenv("MODICUM_DATABASE_URL", url)
    world.patch.setenv("CLAUDECODE", "1")  # what an agent saves may wait, and be cleaned up
    world.patch.setenv("MODICUM_GATE", "open")
    world.write("notes.md", "# Ports\n\nThe api listens on 8080.\n")
    for title, text in (
        ("Queue moved", "Redis lost jobs."),
        ("Cart", "All tests pass now."),
        ("Old", "Gone."),
    ):
        world.modicum("save", title, text)
    world.patch.setenv("MODICUM_GATE", "inbox")
    world.modicum("save", "Waits", "The worker logs to a file because journald is off.")
    world.patch.setenv("MODICUM_GATE", "open")
    world.modicum("save", "Twice", "Redis lost jobs.", "--project", "twice")
    world.modicum("save", "Again", "Redis lost jobs.", "--project", "twice")
    world.modicum("memory", "sessions", "start", "s1", "--project", "empty")
    world.modicum("memory", "relate", "1", "2")
    world.modicum("delete", "3")
    return world


def everything(world) -> str:
    file = Path(world.project, "all.json")
    file.unlink(missing_ok=True)
    assert world.modicum("export", "all.json").code == 0
    text = file.read_text("utf-8")
    return "\n".join(line for line in text.splitlines() if "exported_at" not in line)


def test_every_command_can_be_taken_back(filled) -> None:
    before = everything(filled), filled.modicum("memory", "inbox", "--json").json["items"]
    trouble = []
    for command in COMMANDS:
        said = filled.modicum(*command)
        changed = everything(filled), filled.modicum("memory", "inbox", "--json").json["items"]
        elsewhere = (
            ["--everywhere"] if command[-1] in ("empty", "other", "renamed") else []
        )  # another project than this one is
        undone = filled.modicum("undo", *elsewhere)
        after = everything(filled), filled.modicum("memory", "inbox", "--json").json["items"]
        if said.code or undone.code or changed == before or after != before or "Taken back" not in undone.out:
            trouble.append((command, said, undone, changed != before, after == before))
            break

    assert trouble == []
