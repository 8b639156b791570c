"""Exports: for their owner alone, and one sentence where memory cannot be read."""

import stat
from pathlib import Path

import apsw
import pytest

from modicum.app.memory.exchange import write_file, write_pages
from modicum.base.config import load_config
from modicum.memory.model import Archive, Note


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_an_export_is_for_its_owner_alone_also_in_the_place_of_an_open_one(tmp_path):
    target = tmp_path / "backup.json"
    target.write_text("earlier")
    target.chmod(0o644)
    write_file(load_config(), "{}\n", target)
    write_file(load_config(), "{}\n", tmp_path / "new.json")

    assert (target.read_text(), mode_of(target), mode_of(tmp_path / "new.json")) == ("{}\n", 0o600, 0o600)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.json", "new.json"]


def test_notes_as_pages_are_for_their_owner_alone(tmp_path):
    note = Note(1, "obs-1", "s", "manual", "Title", "Words", project="shop")
    assert write_pages(load_config(), Archive(notes=(note,)), tmp_path / "pages") == 1

    (page,) = (tmp_path / "pages").rglob("*.md")
    assert (mode_of(page), mode_of(page.parent)) == (0o600, 0o700)


@pytest.mark.parametrize("kind", ["modicum", "jsonl", "engram"])
def test_an_export_of_a_damaged_memory_is_one_sentence_with_a_remedy(world, kind):
    world.modicum("save", "Title", "Words")
    (file,) = world.home.rglob("memory.db")
    connection = apsw.Connection(str(file))
    connection.execute("UPDATE notes SET content = CAST(x'ff80fe' AS TEXT)")
    connection.close()
    said = world.modicum("export", "--format", kind, "backup.json")

    assert said.code == 4
    assert said.err == (
        f"modicum: {file}: it is damaged (restore a backup; or move the file away and import it, which takes over "
        "what can be read)\n"
    )
    assert not world.path("backup.json").exists()
