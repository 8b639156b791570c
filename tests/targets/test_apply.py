"""Changes on real files: whole or not at all, one at a time, nothing outside of the root, and no trace afterwards."""

import errno
import json
import os
import stat
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from modicum.base import files
from modicum.base.errors import ModicumError
from modicum.base.files import NewContent
from modicum.base.value import replace
from modicum.targets import apply as applying
from modicum.targets import disk
from modicum.targets.apply import look, update
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.disk import read
from modicum.targets.plan import Edit, payload, plan, plan_edit, unplan
from modicum.targets.records import recorded

MODES = ("replace-section", "replace-file", "append", "import")
START, END = b"<!-- modicum:start:modicum -->", b"<!-- modicum:end:modicum -->"
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
needs_rights = pytest.mark.skipif(AS_ROOT, reason="everything is allowed to root")


class Home:
    """A project and a state folder."""

    def __init__(self, folder: Path) -> None:
        self.root, self.state = folder / "project", folder / "state"
        self.root.mkdir()
        self.file = self.root / "AGENTS.md"

    def place(self, name: str = "AGENTS.md", mode: str = "replace-section", **more: str) -> TargetFile:
        return TargetFile(str(self.root / name), mode, root=str(self.root), reference="x.md", **more)

    def inject(self, text: str = "page", place: TargetFile | None = None, **more) -> FileChange:
        at = place or self.place()
        return update(at, lambda existing, record: plan(at, text, existing, record, **more), self.state)

    def uninstall(self, place: TargetFile | None = None, **more) -> FileChange:
        at = place or self.place()
        return update(at, lambda existing, record: unplan(at, existing, record, **more), self.state)

    def edit(self, place: TargetFile, edit: Edit) -> FileChange:
        return update(place, lambda existing, record: plan_edit(place, edit, existing, record), self.state)

    def status(self, text: str = "page", place: TargetFile | None = None) -> FileState:
        at = place or self.place()
        return plan(at, text, *look(at, self.state)).state

    def files(self) -> list[str]:
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*"))

    def backups(self) -> list[bytes]:
        paths = [path for path in self.state.glob("backups/*/*") if path.name.isdigit()]
        return [path.read_bytes() for path in sorted(paths, key=lambda path: int(path.name))]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture(autouse=True)
def a_quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


# Without a trace

PIECES = (
    *(b"\n", b"\r\n", b"\r", b"\xef\xbb\xbf", b"\0", b"\xff", b"\xc3", b"x", b"# A", b"```", b"~~~", b"<!--"),
    *(START, END, b"```\n" + START + b"\nquoted\n" + END + b"\n```\n", b"---\n", b"> ", b"    "),
)
CONTENTS = st.none() | st.binary(max_size=40) | st.lists(st.sampled_from(PIECES), max_size=9).map(b"".join)


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=25)
@given(content=CONTENTS)
def test_inject_then_uninstall_gives_back_the_same_bytes(
    mode: str, content: bytes | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = Home(tmp_path_factory.mktemp("home"))
    place = home.place("deep/folder/file.md" if content is None else "AGENTS.md", mode)
    if content is not None:
        home.file.write_bytes(content)
    assume(unplan(place, read(place.path), None).state is not FileState.STALE)  # a region of ours

    first = home.inject("page\n\n" + END.decode(), place, force=True)
    assume(first.state is not FileState.ORPHANED and "UTF-16" not in first.note)
    again = home.inject("page\n\n" + END.decode(), place, force=True)
    home.uninstall(place)

    assert (again.state, again.changed) == (FileState.CURRENT, False)
    assert home.files() == ([] if content is None else ["AGENTS.md"])
    assert content is None or home.file.read_bytes() == content
    assert recorded(home.state) == ()


@pytest.mark.parametrize("mode", ["replace-section", "append"])
def test_ten_megabytes_are_no_trouble(home: Home, mode: str) -> None:
    content = b"a line of some words, not very long\r\n" * 280_000
    home.file.write_bytes(content)
    started_at = time.process_time()

    home.inject(place=home.place(mode=mode), force=True)
    taken_seconds = time.process_time() - started_at
    home.uninstall(home.place(mode=mode))

    assert taken_seconds < 2
    assert home.file.read_bytes() == content


def test_folders_that_came_with_us_go_with_us_in_any_order(home: Home) -> None:
    (home.root / "theirs").mkdir()
    places = [home.place(f"theirs/{name}.md", "replace-file") for name in ("new/a", "new/b", "c")]
    for place in places:
        home.inject(place=place)

    home.uninstall(places[0])
    assert home.files() == ["theirs", "theirs/c.md", "theirs/new", "theirs/new/b.md"]
    home.uninstall(places[1])
    home.uninstall(places[2])

    assert home.files() == ["theirs"]


def test_a_folder_of_ours_in_which_somebody_put_something_stays(home: Home) -> None:
    home.inject(place=home.place("new/a.md"))
    (home.root / "new/mine.md").touch()

    home.uninstall(home.place("new/a.md"))

    assert home.files() == ["new", "new/mine.md"]


def test_two_regions_of_one_file_know_each_other(home: Home) -> None:
    one, two = home.place(), home.place(section="other")
    for place in (one, two):
        home.inject(place=place)
    assert home.status(place=one) == home.status(place=two) == FileState.CURRENT

    home.uninstall(one)
    assert home.file.exists()
    home.uninstall(two)

    assert home.files() == []


# States and what is remembered


def test_status_is_true_right_after_inject_and_after_edits_elsewhere(home: Home) -> None:
    home.file.write_text("mine\n")
    assert home.status() is FileState.ABSENT
    home.inject()
    assert home.status() is FileState.CURRENT
    assert home.status("new") is FileState.STALE

    home.file.write_bytes(b"more\n" + home.file.read_bytes() + b"more\n")
    assert home.status() is FileState.CURRENT
    home.file.write_bytes(home.file.read_bytes().replace(b"page", b"pages"))
    assert home.status() is FileState.EDITED


def test_when_nothing_changes_nothing_is_written(home: Home) -> None:
    home.inject()
    before = {path: path.stat().st_mtime_ns for path in (home.file, *home.state.rglob("*.json"))}

    home.inject()

    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_caller_can_remember_things(home: Home) -> None:
    extra = {"news": ["a"], "nested": {"deep": [1, None, "é\udcff"]}}

    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        change = plan(home.place(), "page", existing, record)
        return replace(change, record=FileRecord("x", extra=extra, tools=("codex", "amp")))

    update(home.place(), make, home.state)
    _, record = look(home.place(), home.state)

    assert record == FileRecord("x", extra=extra, tools=("codex", "amp"))


def test_everything_that_was_written_can_be_listed(home: Home) -> None:
    places = [home.place(), home.place("b.md", "replace-file")]
    for place in places:
        home.inject(place=place)

    assert [(part.place.path, part.place.mode) for part in recorded(home.state)] == [
        (place.path, place.mode) for place in places
    ]


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"about": null, "parts": {"x": {}}}'],
)
def test_a_record_that_cannot_be_read_is_none_and_said(home: Home, damage: bytes) -> None:
    home.inject()
    (sheet,) = home.state.glob("targets/*.json")
    sheet.write_bytes(damage)

    change = home.inject("new")

    assert change.state is FileState.STALE
    assert "cannot be read" in change.note
    assert home.uninstall().note == ""


def test_a_record_with_a_wrong_type_or_an_unknown_mode_is_none(home: Home) -> None:
    home.inject()
    (sheet,) = home.state.glob("targets/*.json")
    for name, value in (("digest", 1), ("created", "yes"), ("tools", [1]), ("mode", "magic"), ("extra", [])):
        data = json.loads(sheet.read_bytes())
        next(iter(data["parts"].values()))[name] = value
        sheet.write_text(json.dumps(data))

        assert "cannot be read" in home.inject().note


def test_settings_are_edited_and_undone(home: Home) -> None:
    place = home.place("deep/settings.json", "settings")

    home.edit(place, lambda text, _: (text + '{"a": 1}\n', {"undo": ["a"]}))
    assert (home.root / "deep/settings.json").read_text() == '{"a": 1}\n'
    seen: list[object] = []
    home.edit(place, lambda _, extra: (seen.append(extra) or "", {}))

    assert seen == [{"undo": ["a"]}]
    assert home.files() == []


def test_what_was_written_below_an_appended_text_stays_on_a_line_of_its_own(home: Home) -> None:
    home.file.write_bytes(b"mine")
    place = home.place(mode="append")
    home.inject(place=place)
    home.file.write_bytes(home.file.read_bytes() + b"more of mine\n")

    home.uninstall(place)

    assert home.file.read_bytes() == b"mine\nmore of mine\n"


# Backups


def test_the_original_is_kept_before_the_first_touch(home: Home) -> None:
    home.file.write_bytes(b"\xff\r\nmine")

    home.inject("one")
    home.inject("two")

    assert home.backups() == [b"\xff\r\nmine"]


def test_an_edited_region_is_kept_before_it_is_replaced(home: Home) -> None:
    home.inject("one")
    home.file.write_bytes(home.file.read_bytes().replace(b"one", b"won"))
    edited = home.file.read_bytes()

    change = home.inject("two")

    assert change.state is FileState.EDITED
    assert home.backups() == [edited]
    assert str(next(home.state.glob("backups/*/1"))) in change.note


def test_a_foreign_file_that_was_replaced_comes_back_with_its_rights(home: Home) -> None:
    home.file.write_bytes(b"theirs")
    home.file.chmod(0o640)
    place = home.place(mode="replace-file")

    assert home.inject(place=place).state is FileState.FOREIGN
    assert home.file.read_bytes() == b"theirs"
    home.inject(place=place, force=True)
    assert home.file.read_text() == payload(place, "page")
    home.uninstall(place)

    assert home.file.read_bytes() == b"theirs"
    assert stat.S_IMODE(home.file.stat().st_mode) == 0o640


def test_what_would_happen_to_an_edit_is_told_as_what_would_happen(home: Home) -> None:
    home.inject("one")
    home.file.write_bytes(home.file.read_bytes().replace(b"one", b"won"))
    edited = home.file.read_bytes()

    planned = plan(home.place(), "two", *look(home.place(), home.state))
    assert planned.note == "your edit of the region would be replaced, and kept in a backup"
    assert (home.file.read_bytes(), home.backups()) == (edited, [])

    done = home.inject("two")
    assert done.note == f"what was there is kept in a backup: {next(home.state.glob('backups/*/1'))}"


@pytest.mark.skipif(sys.platform == "win32", reason="links are made otherwise there")
def test_all_names_of_a_file_still_mean_one_file(home: Home) -> None:
    home.file.write_bytes(b"mine\n")
    other = home.root / "CLAUDE.md"
    os.link(home.file, other)

    home.inject("a long page " * 50)
    assert other.read_bytes() == home.file.read_bytes() != b"mine\n"
    home.inject("short")
    assert home.file.stat().st_nlink == 2
    assert other.read_bytes() == home.file.read_bytes()
    assert home.backups()[0] == b"mine\n"
    home.uninstall()

    assert home.file.samefile(other)
    assert other.read_bytes() == b"mine\n"
    assert recorded(home.state) == ()


def test_a_file_with_several_names_is_kept_before_each_change(home: Home) -> None:
    home.inject("one")
    os.link(home.file, home.root / "other.md")
    before = home.file.read_bytes()

    home.inject("two")

    assert home.backups() == [before]


def test_the_last_five_backups_are_kept(home: Home) -> None:
    home.inject("0")
    for number in range(8):
        home.file.write_text(f"{START.decode()}\nedit {number}\n{END.decode()}\n")
        home.inject(str(number + 1))

    assert [text.split(b"\n")[1] for text in home.backups()] == [b"edit %d" % n for n in range(3, 8)]


def test_what_we_keep_is_for_nobody_else(home: Home) -> None:
    home.file.write_text("mine\n")
    home.inject()

    for path in home.state.rglob("*"):
        assert path.is_dir() or stat.S_IMODE(path.stat().st_mode) == 0o600


# Rights, links and the root


@pytest.mark.parametrize("rights", [0o600, 0o644, 0o755, 0o664])
def test_rights_are_kept(home: Home, rights: int) -> None:
    home.file.write_text("mine\n")
    home.file.chmod(rights)

    home.inject()

    assert stat.S_IMODE(home.file.stat().st_mode) == rights


@pytest.mark.skipif(not AS_ROOT, reason="only root can give a file away")
def test_the_owner_is_kept(home: Home) -> None:
    home.file.write_text("mine\n")
    os.chown(home.file, 1234, 5678)

    home.inject()

    assert (home.file.stat().st_uid, home.file.stat().st_gid) == (1234, 5678)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has them in this form")
def test_extended_attributes_are_kept(home: Home) -> None:
    home.file.write_text("mine\n")
    try:
        os.setxattr(home.file, "user.note", b"x")
    except OSError:
        pytest.skip("not on this file system")

    home.inject()

    assert os.getxattr(home.file, "user.note") == b"x"


def test_a_new_file_has_the_rights_that_new_files_have(home: Home) -> None:
    home.inject()
    (home.root / "other").touch()

    assert home.file.stat().st_mode == (home.root / "other").stat().st_mode


def test_a_link_stays_a_link_and_its_file_is_written(home: Home) -> None:
    home.file.write_text("mine\n")
    link = home.root / "CLAUDE.md"
    link.symlink_to("AGENTS.md")

    home.inject(place=home.place("CLAUDE.md"))
    assert link.is_symlink()
    assert home.status() is FileState.CURRENT  # one file, one record
    home.uninstall()

    assert home.file.read_text() == "mine\n"


def test_a_link_to_nothing_is_followed_and_left_as_it_was(home: Home) -> None:
    (home.root / "CLAUDE.md").symlink_to("new/AGENTS.md")

    home.inject(place=home.place("CLAUDE.md"))
    assert (home.root / "new/AGENTS.md").is_file()
    home.uninstall(home.place("CLAUDE.md"))

    assert home.files() == ["CLAUDE.md"]


@pytest.mark.parametrize(
    "name", ["link.md", "folder/file.md", "back/project/file.md", "../file.md", "new/../../x"]
)
def test_nothing_is_written_outside_of_the_root(home: Home, name: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (home.root / "link.md").symlink_to(outside / "file.md")
    (home.root / "folder").symlink_to(outside)
    (home.root / "back").symlink_to(tmp_path)

    for act in (home.inject, home.uninstall):
        with pytest.raises(ModicumError, match="outside of"):
            act(place=home.place(name))
    with pytest.raises(ModicumError, match="outside of"):
        look(home.place(name), home.state)
    assert list(outside.iterdir()) == []


def test_links_inside_of_the_root_and_a_root_that_is_a_link_are_fine(home: Home, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(home.root)
    (home.root / "docs").mkdir()
    (home.root / "rules").symlink_to("docs")
    place = TargetFile(str(tmp_path / "way/rules/a.md"), "append", root=str(tmp_path / "way"))

    home.inject(place=place)
    home.inject(place=replace(place, path=str(home.root / "b.md")))

    assert home.files() == ["b.md", "docs", "docs/a.md", "rules"]


def test_without_a_root_any_place_will_do(home: Home, tmp_path: Path) -> None:
    home.inject(place=TargetFile(str(tmp_path / "export.md"), "replace-file"))

    assert (tmp_path / "export.md").read_text().startswith("page\n")


# What is in the way


def refusal(home: Home, place: TargetFile | None = None) -> ModicumError:
    before = home.files()
    with pytest.raises(ModicumError) as caught:
        home.inject(place=place)
    assert home.files() == before
    assert caught.value.remedy
    return caught.value


def test_a_read_only_file_is_not_replaced(home: Home) -> None:
    home.file.write_text("mine\n")
    home.file.chmod(0o444)

    assert "read-only" in refusal(home).message
    assert home.file.read_text() == "mine\n"
    assert home.status() is FileState.ABSENT


@needs_rights
def test_a_read_only_folder_is_named(home: Home) -> None:
    home.root.chmod(0o555)
    try:
        assert "Permission denied" in refusal(home).message
    finally:
        home.root.chmod(0o755)


@needs_rights
def test_a_state_folder_without_rights_is_named(home: Home) -> None:
    home.state.mkdir(0o500)

    assert str(home.state) in refusal(home).message


def test_a_folder_in_the_place_of_a_file_is_named(home: Home) -> None:
    home.file.mkdir()

    assert "folder" in refusal(home).remedy


def test_a_file_in_the_place_of_a_folder_is_named(home: Home) -> None:
    home.file.touch()

    assert "is a file" in refusal(home, home.place("AGENTS.md/rules/x.md")).remedy


def test_a_state_folder_that_is_a_file_is_named(home: Home) -> None:
    home.state.touch()

    assert str(home.state) in refusal(home).message


def test_a_name_that_is_too_long_is_named(home: Home) -> None:
    assert "shorter" in refusal(home, home.place("x" * 300)).remedy


def test_a_name_that_is_just_short_enough_works(home: Home) -> None:
    home.inject(place=home.place("x" * 255))

    assert home.files() == ["x" * 255]


def test_a_name_that_no_system_has_is_named(home: Home) -> None:
    assert "null" in refusal(home, home.place("x\0y")).message


def test_a_link_to_itself_is_named(home: Home) -> None:
    home.file.symlink_to("AGENTS.md")

    assert "link" in refusal(home).remedy


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(home: Home) -> None:
    os.mkfifo(home.file)

    assert "not a regular file" in refusal(home).message


@pytest.mark.parametrize("name", ["AGENTS.md", "new/folder/rules.md"])
def test_a_full_disk_changes_nothing_and_leaves_nothing(home: Home, name: str, monkeypatch) -> None:
    home.file.write_text("mine\n")
    real = disk.new_content

    def half(descriptor: int, data: bytes) -> None:
        os.write(descriptor, data[:3])
        raise OSError(errno.ENOSPC, "No space left on device")

    def full(*given: Any) -> AbstractContextManager[NewContent]:
        monkeypatch.setattr(files, "_write_all", half)
        return real(*given)

    monkeypatch.setattr(applying, "new_content", full)
    before = home.files()

    assert "space" in refusal(home, home.place(name)).message
    monkeypatch.undo()
    assert home.files() == before
    assert not [*(home.state / "aside").glob("*")]
    assert home.file.read_text() == "mine\n"
    assert recorded(home.state) == ()


def test_an_error_in_the_plan_reaches_the_caller_and_frees_the_lock(home: Home) -> None:
    def broken(_existing: Existing, _record: FileRecord | None) -> FileChange:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        update(home.place(), broken, home.state)

    assert home.inject().changed


# Several at once


def test_a_file_that_changes_under_our_hands_is_planned_again(home: Home) -> None:
    home.file.write_text("0\n")
    seen: list[str | None] = []

    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        seen.append(existing.text)
        if len(seen) < 3:
            home.file.write_text(f"{len(seen)}\n")
        return plan(home.place(), "page", existing, record)

    update(home.place(), make, home.state)

    assert seen == ["0\n", "1\n", "2\n"]
    assert home.file.read_text().endswith("2\n")
    assert home.status() is FileState.CURRENT


def test_a_file_that_keeps_changing_is_given_up(home: Home) -> None:
    numbers = iter(range(9))

    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        home.file.write_text(f"{next(numbers)}\n")
        return plan(home.place(), "page", existing, record)

    with pytest.raises(ModicumError, match="keeps writing"):
        update(home.place(), make, home.state)

    assert home.file.read_text() == "2\n"
    assert home.files() == ["AGENTS.md"]
    assert recorded(home.state) == ()


def test_a_file_that_goes_away_while_it_is_removed_is_fine(home: Home) -> None:
    home.inject(place=home.place("new/x.md"))
    calls: list[None] = []

    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        calls.append(None)
        (home.root / "new/x.md").unlink(missing_ok=True)
        return unplan(home.place("new/x.md"), existing, record)

    update(home.place("new/x.md"), make, home.state)

    assert len(calls) == 2
    assert home.files() == []


def test_a_folder_that_goes_away_at_the_wrong_moment_is_made_again(home: Home, monkeypatch) -> None:
    real, calls = disk.new_content, []

    def late(target: Path, *more: Any) -> AbstractContextManager[NewContent]:
        calls.append(None)
        if len(calls) == 1:
            target.parent.rmdir()
        return real(target, *more)

    monkeypatch.setattr(applying, "new_content", late)
    home.inject(place=home.place("new/x.md"))

    assert home.files() == ["new", "new/x.md"]


def test_a_folder_that_somebody_removed_is_not_ours_any_more(home: Home) -> None:
    home.inject(place=home.place("new/x.md"))
    (home.root / "new/x.md").unlink()
    (home.root / "new").rmdir()

    home.uninstall(home.place("new/x.md"))
    (home.root / "new").mkdir()
    home.inject(place=home.place("new/x.md"))
    home.uninstall(home.place("new/x.md"))

    assert home.files() == ["new"]


def test_a_lock_is_waited_for_but_not_for_ever(home: Home) -> None:
    def nested(existing: Existing, record: FileRecord | None) -> FileChange:
        with pytest.raises(ModicumError, match="busy"):
            update(home.place(), nested, home.state, wait_seconds=0.1)
        return plan(home.place(), "page", existing, record)

    assert update(home.place(), nested, home.state).changed


WORKER = """
import sys
from pathlib import Path
from modicum.targets.apply import update
from modicum.targets.change import TargetFile
from modicum.targets.plan import plan, unplan

path, state, name, mode = sys.argv[1:]
for number in range(9):
    place = TargetFile(path, mode, name)
    update(place, lambda e, r: plan(place, f"{name} {number}\\n" * 3, e, r), Path(state))
    if number % 3 == 1:
        update(place, lambda e, r: unplan(place, e, r), Path(state))
"""


@pytest.mark.parametrize("mode", ["replace-section", "append"])
def test_several_processes_at_once_lose_nothing(home: Home, mode: str) -> None:
    home.file.write_text("mine\n")
    names = ("one", "two", "three")
    command = (sys.executable, "-c", WORKER, str(home.file), str(home.state))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    workers = [subprocess.Popen((*command, name, mode), env=environment) for name in names]
    assert [worker.wait(timeout=60) for worker in workers] == [0] * len(names)

    text = home.file.read_text()
    assert text.startswith("mine\n") == (mode == "append")
    assert all(text.count(f"{name} 8\n") == 3 for name in names)
    for name in names:
        home.uninstall(home.place(mode=mode, section=name))
    assert home.file.read_text() == "mine\n"
    assert home.files() == ["AGENTS.md"]
