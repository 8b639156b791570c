"""modicum export"""

import json
import os
from pathlib import Path

import pytest


def elsewhere(world) -> None:
    """Another machine with the same project."""
    world.patch.setenv("MODICUM_HOME", str(world.home / "elsewhere"))


@pytest.mark.parametrize("kind", ["modicum", "jsonl", "engram", "markdown"])
def test_every_format_comes_back(two_notes, kind: str) -> None:
    name = two_notes.modicum("show", "1", "--json").json["id"]
    said = two_notes.modicum("export", "--format", kind, "--to", "out", "--json").json
    elsewhere(two_notes)
    dry = two_notes.modicum("import", "out", "--dry-run")
    done = two_notes.modicum("import", "out", "--yes")
    again = two_notes.modicum("import", "out", "--yes", "--json").json

    assert (said["format"], said["notes"]) == (kind, 2)
    assert dry.out.replace("would come", "came") + "Take it back: modicum import --undo\n" == done.out
    assert "2 notes" in done.out
    assert not any(again["came"].values())
    assert again["there"]["notes"] == 2
    assert "Queue moved" in two_notes.modicum("show", name).out  # it is the same note, whatever its number


def test_an_export_goes_to_the_screen_if_no_file_is_named(two_notes) -> None:
    lines = two_notes.modicum("export", "--format", "jsonl").out.splitlines()

    assert json.loads(lines[0])["format"] == "modicum"
    assert set(json.loads(two_notes.modicum("export", "--format", "engram").out)) == {
        "version", "exported_at", "sessions", "observations", "prompts"
    }  # fmt: skip
    assert "Markdown needs a folder" in two_notes.modicum("export", "--format", "markdown").err
    assert "cannot be written" in two_notes.modicum("export", "no/such/folder.json").err


def test_a_disk_that_is_full_leaves_the_earlier_export(two_notes) -> None:
    two_notes.modicum("export", "backup.json")
    before = two_notes.path("backup.json").read_text()

    def half(descriptor: int, data: bytes) -> int:
        before_it(descriptor, data[:9])
        raise OSError(28, "No space left on device")

    before_it = os.write
    two_notes.patch.setattr(os, "write", half)
    said = two_notes.modicum("export", "backup.json")

    assert (
        said.err == "modicum: backup.json cannot be written: No space left on device (choose another file)\n"
    )
    assert two_notes.path("backup.json").read_text() == before
    assert not list(two_notes.path(".").glob(".modicum-*"))


def test_pages_that_stop_half_way_say_how_many_are_there(two_notes) -> None:
    before, written = Path.write_text, []

    def full(path: Path, text: str, **how: str) -> int:
        written.append(path)
        if len(written) > 1:
            raise OSError(28, "No space left on device")
        return before(path, text, **how)

    two_notes.patch.setattr(Path, "write_text", full)
    said = two_notes.modicum("export", "--format", "markdown", "--to", "pages")

    reason = "pages cannot be written: No space left on device; 1 note written before"
    assert said.err == f"modicum: {reason} (choose another one)\n"


def test_an_export_keeps_the_rights_of_the_file_and_may_go_to_a_device(two_notes) -> None:
    two_notes.write("backup.json", "")
    two_notes.path("backup.json").chmod(0o600)
    two_notes.modicum("export", "backup.json")

    assert two_notes.path("backup.json").stat().st_mode & 0o777 == 0o600
    assert two_notes.modicum("export", "/dev/null").code == 0


def test_an_export_comes_back_without_loss_and_a_second_import_changes_nothing(notes) -> None:
    notes.modicum("memory", "relate", "1", "2")
    notes.modicum("export", "first.json")
    notes.patch.setenv("MODICUM_HOME", str(notes.home / "another"))
    counts = [notes.modicum("import", "first.json", "--json").json for _ in range(2)]
    notes.modicum("export", "second.json")
    first, second = (json.loads(notes.read(name)) for name in ("first.json", "second.json"))
    for archive in (first, second):
        archive.pop("exported_at")
    origins = [{note.pop("origin") for note in archive["notes"]} for archive in (first, second)]

    assert first == second
    assert origins == [{"person"}, {"import:modicum-export"}]
    assert counts[0]["came"]["notes"] == 5
    assert not any(counts[1]["came"].values())
    assert counts[1]["there"] == counts[0]["came"]


@pytest.mark.parametrize("kind", ["modicum", "jsonl", "engram", "markdown"])
@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_an_export_never_takes_the_place_of_memory(two_notes, kind: str, end: str) -> None:
    (memory,) = two_notes.home.rglob("memory.db")
    two_notes.path("link").symlink_to(f"{memory}{end}")
    said = [two_notes.modicum("export", "--format", kind, place) for place in (f"{memory}{end}", "link")]

    assert [each.code for each in said] == [4, 4]
    assert said[1].err == "modicum: link: this is memory itself (give another file)\n"
    assert two_notes.modicum("memory", "stats", "--json").json["notes"] == 2


def test_an_export_never_takes_the_place_of_memory_that_has_two_names(two_notes) -> None:
    (memory,) = two_notes.home.rglob("memory.db")
    two_notes.path("second.db").hardlink_to(memory)
    before = memory.read_bytes()

    assert "this is memory itself" in two_notes.modicum("export", "second.db").err
    assert two_notes.path("second.db").read_bytes() == before


@pytest.mark.parametrize("place", ["/", ".", "one.txt/below.json"])
def test_an_export_to_what_is_no_file_is_one_line(two_notes, place: str) -> None:
    two_notes.write("one.txt", "One.")
    said = two_notes.modicum("export", place)

    assert said.code == 4
    assert said.err.startswith(f"modicum: {place} cannot be written: ")
