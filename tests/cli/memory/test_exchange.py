"""Sync, import and export as a person types them."""

import json
from pathlib import Path

import pytest

from modicum.memory.sync.chunks import DAMAGED


@pytest.fixture
def notes(world):
    world.modicum("save", "Queue moved to SQLite", "Redis needed a host of its own.", "--type", "decision")
    world.modicum("save", "Lock errors", "Fixed with BEGIN IMMEDIATE.", "--type", "bugfix")
    world.modicum("relate", "1", "2")
    return world


def elsewhere(world) -> None:
    """Another machine with the same project."""
    world.patch.setenv("MODICUM_HOME", str(world.home / "elsewhere"))


def test_notes_go_to_another_machine_and_back(notes) -> None:
    assert notes.modicum("sync", "--status").out == (
        "Nothing would come into project.\n2 notes, 1 session, 1 relation would go out of project.\n"
    )
    first = notes.modicum("sync")
    elsewhere(notes)
    status = notes.modicum("sync", "--status", "--json").json
    second = notes.modicum("sync")
    again = notes.modicum("sync", "--json")

    assert (first.code, first.out) == (
        0,
        "Nothing came into project.\n2 notes, 1 session, 1 relation went out of project.\n",
    )
    assert status == {
        "project": "project",
        "came": {"chunks": 1, "notes": 2, "sessions": 1, "prompts": 0, "relations": 1},
        "went": {"chunks": 0, "notes": 0, "sessions": 0, "prompts": 0, "relations": 0},
        "troubles": [],
    }
    assert (second.code, second.out) == (
        0,
        "2 notes, 1 session, 1 relation came into project.\nNothing went out of project.\n",
    )
    assert not any([*again.json["came"].values(), *again.json["went"].values()])
    assert "Lock errors" in notes.modicum("search", "begin immediate").out


def test_a_damaged_chunk_is_named_and_the_exit_code_says_so(notes) -> None:
    notes.modicum("sync")
    (chunk,) = notes.path(".modicum/memory").iterdir()
    assert notes.modicum("sync", "--check").out == "2 notes, 1 session, 1 relation in 1 chunk.\n"
    chunk.write_bytes(b"half")
    elsewhere(notes)
    said, checked = notes.modicum("sync"), notes.modicum("sync", "--check", "--json")

    assert said.code == checked.code == 1
    assert said.err == f"modicum: {chunk.name}: {DAMAGED}\n"
    assert checked.json["troubles"][0]["chunk"] == chunk.name


def test_a_folder_that_leads_elsewhere_is_refused_in_one_line(notes) -> None:
    notes.path(".modicum").mkdir(exist_ok=True)
    notes.path(".modicum/memory").symlink_to(notes.home)
    said = notes.modicum("sync")

    assert said.code == 1
    assert "is a link" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("kind", ["modicum", "jsonl", "engram", "markdown"])
def test_every_format_comes_back(notes, kind: str) -> None:
    said = notes.modicum("export", "--format", kind, "--to", "out", "--json").json
    elsewhere(notes)
    dry = notes.modicum("import", "out", "--dry-run")
    done = notes.modicum("import", "out")
    again = notes.modicum("import", "out", "--json").json

    assert (said["format"], said["notes"]) == (kind, 2)
    assert dry.out.replace("would come", "came") == done.out
    assert "2 notes" in done.out
    assert not any(again["came"].values())
    assert again["there"]["notes"] == 2
    assert "Queue moved" in notes.modicum("get", "1").out


def test_an_export_goes_to_the_screen_if_no_file_is_named(notes) -> None:
    lines = notes.modicum("export", "--format", "jsonl").out.splitlines()

    assert json.loads(lines[0])["format"] == "modicum"
    assert set(json.loads(notes.modicum("export", "--format", "engram").out)) == {
        "version", "exported_at", "sessions", "observations", "prompts"
    }  # fmt: skip
    assert "Markdown needs a folder" in notes.modicum("export", "--format", "markdown").err
    assert "cannot be written" in notes.modicum("export", "no/such/folder.json").err


def test_what_could_not_come_is_told_with_its_place(notes) -> None:
    records = [{"session_id": "s", "title": f"t{n}", "created_at": "soon"} for n in range(25)]
    notes.write("odd.json", json.dumps({"observations": [*records, {"session_id": "s", "title": "good"}]}))
    said = notes.modicum("import", "odd.json")

    assert said.code == 0
    assert said.out == "This is engram's export.\n1 note came in.\n25 could not come:\n"
    assert said.err.splitlines()[0] == 'modicum: notes, item 1: created_at: "soon" is no time'
    assert said.err.splitlines()[-1] == "modicum: and 5 more; --json tells them all"
    assert len(notes.modicum("import", "odd.json", "--json").json["problems"]) == 25


def test_a_disk_that_is_full_leaves_the_earlier_export(notes) -> None:
    notes.modicum("export", "backup.json")
    before = notes.path("backup.json").read_text()

    def half(path: Path, text: str, **how: str) -> None:
        path.write_bytes(text[:9].encode())
        raise OSError(28, "No space left on device")

    notes.patch.setattr(Path, "write_text", half)
    said = notes.modicum("export", "backup.json")

    assert (
        said.err == "modicum: backup.json cannot be written: No space left on device (choose another file)\n"
    )
    assert notes.path("backup.json").read_text() == before
    assert not list(notes.path(".").glob(".modicum-*.part"))


def test_an_export_keeps_the_rights_of_the_file_and_may_go_to_a_device(notes) -> None:
    notes.write("backup.json", "")
    notes.path("backup.json").chmod(0o600)
    notes.modicum("export", "backup.json")

    assert notes.path("backup.json").stat().st_mode & 0o777 == 0o600
    assert notes.modicum("export", "/dev/null").code == 0


def test_what_reads_otherwise_here_is_told(notes) -> None:
    notes.modicum("export", "backup.json")
    notes.modicum("update", "1", "--content", "Redis was too slow.")
    said = notes.modicum("import", "backup.json")

    assert said.out == (
        "This is modicum's export.\nNothing came in.\nHere already: 1 session, 2 notes, 1 relation.\n"
        "1 note of these reads otherwise here, and stays so.\n"
    )
    assert notes.modicum("import", "backup.json", "--json").json["differ"] == 1


def test_a_name_with_a_line_end_is_told_on_one_line(notes) -> None:
    notes.write("notes/two\nlines.md", "")
    notes.write("notes/good.md", "words")

    assert notes.modicum("import", "notes").err == "modicum: two\\nlines.md: it is empty\n"
