"""Machines that share notes through files end with the same notes, whatever happens on the way."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from modicum.base.errors import ModicumError
from modicum.memory.engines.database import Database
from modicum.memory.engines.postgres import PostgresDatabase
from modicum.memory.engines.sqlite import SqliteDatabase, SqliteTransaction
from modicum.memory.model import Archive, Changes, NoteDraft, Query
from modicum.memory.people.access import Person
from modicum.memory.store import Store
from modicum.memory.sync import run as sync_module
from modicum.memory.sync.chunks import DAMAGED, machine_of
from modicum.memory.sync.folder import ChunkFolder
from modicum.memory.sync.model import Counts, Synced, Trouble
from modicum.memory.sync.run import Sync, SyncFolder, check
from modicum.memory.sync.tables import SyncChoices
from modicum.memory.times import stamp

PROJECT = "shop"


class Machine:
    """A store, a clone of the project's folder, and a clock of its own."""

    def __init__(self, path: Path, store: Store, seconds: float = 1_800_000_000.0) -> None:
        self.name, self.seconds = path.name, seconds
        self.folder = path / "clone" / ".modicum" / "memory"
        self.memo = path / "memo.json"
        self.store = store
        store.clock = self.clock

    def clock(self) -> float:
        self.seconds += 0.001
        return self.seconds

    confirmed: ClassVar[set[str]] = set()  # by all: who is not is what test_trust.py is about

    def sync(self, **choices: bool) -> sync_module.Synced:
        place = SyncFolder(ChunkFolder(self.folder), self.memo)
        sync = Sync(self.store, place, PROJECT, choices=SyncChoices(**choices))
        self.confirmed.update(map(machine_of, place.folder.names()))
        sync.trusted = frozenset(self.confirmed)
        return sync.run()._replace(machine="", unconfirmed=())

    def status(self) -> sync_module.Synced:
        status = Sync(self.store, SyncFolder(ChunkFolder(self.folder), self.memo), PROJECT).status()
        return status._replace(machine="", unconfirmed=())

    def pull(self, *others: "Machine") -> None:
        """What git does: files that are new elsewhere."""
        for other in others:
            if other is not self and other.folder.exists():
                shutil.copytree(other.folder, self.folder, dirs_exist_ok=True)

    def save(self, title: str, content: str = "words", **fields: str) -> int:
        return self.store.save(NoteDraft(title, content, project=PROJECT, **fields)).id

    def view(self) -> dict[str, Any]:
        """All that is shared, without the numbers that are this machine's own."""
        archive = self.store.export()
        shared = [each for each in archive.notes if each.scope != "personal"]
        keys = {each.id: each.sync_id for each in shared}
        return {
            "notes": {each.sync_id: each._replace(id=0, pinned_by="") for each in shared},
            "edges": {(keys[r.from_id], keys[r.to_id], r.type, r.note) for r in archive.relations
                      if {r.from_id, r.to_id} <= keys.keys()},
            "past": {(keys[r.note_id], *r[1:]) for r in archive.revisions if r.note_id in keys},
            "sessions": {s.id: s._replace(directory="", active_at="", notes=0) for s in archive.sessions},
        }  # fmt: skip


@pytest.fixture
def machines(make_store, tmp_path):
    return [Machine(tmp_path / "machines" / name, make_store(name)) for name in "abc"]


def settle(machines: list[Machine], rounds: int = 4) -> None:
    for _ in range(rounds):
        for machine in machines:
            machine.pull(*machines)
            machine.sync()


def agree(machines: list[Machine]) -> dict[str, Any]:
    views = [machine.view() for machine in machines]
    for view in views[1:]:
        assert view == views[0]
    return views[0]


STEPS = st.sampled_from(
    ["save", "save", "topic", "topic", "update", "pin", "unpin", "delete", "hard", "hard", "restore", "relate",
     "unrelate", "move", "personal", "end", "start", "sync", "sync", "pull", "pull", "kill", "kill", "lose", "lose",
     "forget", "twice", "share", "share", "race", "race", "race"]
)  # fmt: skip
HISTORIES = st.lists(
    st.tuples(st.integers(0, 2), STEPS, st.integers(0, 7), st.integers(0, 7)), min_size=5, max_size=40
)


def act(machine: Machine, machines: list[Machine], step: str, n: int, m: int) -> None:
    store = machine.store
    some = [each.id for each in store.export().notes]
    one = some[n % len(some)] if some else 0
    match step:
        case "save":
            machine.save(f"note {n}", f"text {n} {m} of {machine.name}", session_id=f"s{n % 3}")
        case "topic":
            machine.save(f"topic {n}", f"topic text {n} {m} of {machine.name}", topic_key=f"t{n % 2}")
        case "update":
            store.update(one, Changes(content=f"changed {m} by {machine.name}"))
        case "pin" | "unpin":
            store.pin(one, pinned=step == "pin")
        case "delete" | "hard":
            store.delete(one, hard=step == "hard")
        case "restore":
            store.restore(one)
        case "relate":
            store.relate(one, some[m % len(some)] if some else 0, f"kind{m % 2}")
        case "unrelate":
            store.unrelate(store.export().relations[0].id) if store.export().relations else None
        case "move":
            store.update(one, Changes(topic_key=f"t{m % 3}"))
        case "personal":
            if m < 2:
                store.update(one, Changes(scope="personal"))
        case "start":
            store.start_session(f"s{n % 3}", project=PROJECT, namespace=f"n{m % 2}")
        case "end":
            store.end_session(f"s{n % 3}", f"summary {m}")
            with suppress(ModicumError):
                store.delete_session(f"s{m % 3}")
        case "sync":
            machine.sync()
        case "twice":
            machine.sync()
            forget(machine)
        case "pull":
            machine.pull(machines[n % 3])
        case "share":
            settle(machines, 1)
        case "race":
            race(machine, machines[(machines.index(machine) + 1 + n % 2) % 3], one, edits=m % 3 + 1)
        case "kill":
            killed(machine, after=n * 3 + m)
        case "lose":
            for chunk in sorted(machine.folder.glob("*.jsonl"))[: n % 3]:
                chunk.unlink()
        case "forget":
            machine.memo.unlink(missing_ok=True)


def forget(machine: Machine) -> None:
    """The machine no longer knows which chunks it has read."""
    with machine.store.database.writing() as tx:
        tx.run("DELETE FROM sync_chunks")


def race(machine: Machine, other: Machine, note: int, edits: int) -> None:
    """A note is deleted for good here, and at the same time edited there, each edit in a chunk of its own."""
    key = next(each.sync_id for each in machine.store.export().notes if each.id == note) if note else ""
    there = [each.id for each in other.store.export().notes if each.sync_id == key]
    if note:
        machine.store.delete(note, hard=True)
    for number in range(edits if there else 0):
        other.store.update(there[0], Changes(content=f"edit {number} of {other.name}"))
        other.sync()
    machine.pull(other)
    machine.sync()


class Killed(BaseException):
    pass


EFFECTS = (
    (sync_module, "settle"),
    (sync_module.tables, "add_chunk"),
    (sync_module.tables, "unqueue"),
    (ChunkFolder, "write"),
    (Sync, "_remember"),
)


def killed(machine: Machine, after: int) -> None:
    """A sync that ends in the middle, as if by a signal: before or after anything that it does to the world."""
    left = [after]

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def effect(*arguments: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return real(*arguments, **named)

        return effect

    with pytest.MonkeyPatch.context() as patch, suppress(Killed):
        for owner, name in EFFECTS:
            patch.setattr(owner, name, dying(getattr(owner, name)))
        machine.sync()


# Less than a day apart: what is dated later than that is shown as if it were of tomorrow.
SKEWS = st.lists(st.integers(-43_000, 43_000), min_size=3, max_size=3)


@settings(max_examples=settings.default.max_examples * 2 // 5)
@given(HISTORIES, SKEWS)
@example(
    [(0, "save", 0, 0), (0, "save", 0, 0), (0, "twice", 0, 0), (0, "lose", 1, 0), (0, "forget", 0, 0)],
    [0] * 3,
)
def test_any_history_on_three_machines_ends_the_same(history, skews):
    check_history(history, skews, make=own_file)


@settings(max_examples=settings.default.max_examples // 20 or 1)
@given(HISTORIES, SKEWS)
def test_any_history_of_a_file_and_two_postgres_ends_the_same(empty_schema, history, skews):
    check_history(history, skews, make=lambda folder: PostgresDatabase(empty_schema(f"of_{folder.name}")))


def own_file(folder: Path) -> Database:
    return SqliteDatabase(folder / "memory.db")


def check_history(history, skews, *, make: Callable[[Path], Database]) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, ExitStack() as ends:
        numbers = count(1)  # the same history must go the same way each time
        for module in ("tables.notes", "sync.settle"):
            patch.setattr(f"modicum.memory.{module}.mint", lambda kind: f"{kind}-{next(numbers):04}")
        machines = [
            Machine(path, ends.enter_context(closing(Store(kind(path)))), 1_800_000_000.0 + skew)
            for path, kind, skew in zip(
                (Path(folder) / name for name in "abc"), (own_file, make, make), skews, strict=True
            )
        ]
        for number, step, n, m in history:
            with suppress(ModicumError):
                act(machines[number], machines, step, n, m)
        settle(machines)

        agree(machines)
        counts = [machine.sync().went for machine in machines]
        assert counts == [Counts()] * 3
        assert all(machine.store.problems() == () for machine in machines)


def test_everything_travels(machines):
    a, b, _ = machines
    first = a.save("one", "first words", topic_key="k")
    a.save("one", "second words", topic_key="k")
    other = a.save("two", session_id="monday")
    a.store.end_session("monday", "It works.")
    a.store.relate(first, other, "depends_on", note="because")
    a.store.pin(other)
    went = a.sync().went
    b.pull(a)
    came = b.sync().came

    assert went == came == Counts(1, 2, 2, 0, 1)
    view = agree([a, b])
    assert {(note.title, note.content, note.pinned) for note in view["notes"].values()} == {
        ("one", "second words", 0), ("two", "words", 1)
    }  # fmt: skip
    assert [revision[4] for revision in view["past"]] == ["first words"]
    assert [edge[2:] for edge in view["edges"]] == [("depends_on", "because")]
    assert b.store.session("monday").summary == "It works."
    assert [hit.note.title for hit in b.store.search("second").items] == ["one"]


def shared(a: Machine, b: Machine, title: str = "note") -> tuple[int, int]:
    """A note that both have: its number here and there."""
    here = a.save(title)
    key = a.store.get(here).sync_id
    settle([a, b], 1)
    return here, next(each.id for each in b.store.export().notes if each.sync_id == key)


def test_a_note_has_the_same_public_id_on_every_machine(machines):
    a, b, _ = machines
    b.store.save(NoteDraft("Here before", "so that numbers differ", project="elsewhere"))
    number, other = shared(a, b)

    assert number != other
    name = a.store.get(number).public_id
    assert a.store.names([number])[number] == b.store.names([other])[other] == name


@pytest.mark.parametrize("skew", [-3600, 3600])
def test_an_edit_wins_over_what_it_was_made_on_whatever_the_clocks_say(machines, skew):
    a, b, _ = machines
    _, there = shared(a, b)
    b.seconds += skew
    b.store.update(there, Changes(content="later"))
    b.store.pin(there)
    settle([a, b], 1)
    b.store.pin(there, pinned=False)
    b.store.delete(there)
    settle([a, b], 1)
    b.store.restore(there)
    settle([a, b], 2)

    (note,) = agree([a, b])["notes"].values()
    assert (note.content, note.pinned, note.deleted_at, note.revision_count) == ("later", 0, "", 2)


def test_two_edits_at_once_keep_both_wordings(machines):
    a, b, _ = machines
    here, there = shared(a, b)
    a.store.update(here, Changes(content="by a"))
    b.seconds += 5
    b.store.update(there, Changes(content="by b"))
    settle([a, b])

    (note,) = agree([a, b])["notes"].values()
    assert note.content == "by b"
    assert [each.content for each in a.store.history(here)] == ["by b", "by a", "words"]


def test_a_topic_that_two_have_begun_becomes_one_note(machines):
    a, b, c = machines
    for number, machine in enumerate(machines):
        machine.seconds += number
        machine.save(f"by {machine.name}", f"text {machine.name}", topic_key="queue/engine")
    a.sync()
    b.pull(a)
    b.sync()
    c.pull(a)
    c.sync()
    settle(machines)

    view = agree(machines)
    (live,) = [note for note in view["notes"].values() if not note.deleted_at]
    assert live.content == "text c"
    number = next(each.id for each in a.store.export().notes if each.sync_id == live.sync_id)
    assert [each.content for each in a.store.history(number)] == ["text c", "text b", "text a"]
    assert a.store.save(NoteDraft("again", "text d", project=PROJECT, topic_key="queue/engine")).id == number


def test_a_wording_that_comes_late_to_a_note_that_was_made_part_of_another_is_kept_there(machines):
    a, b, c = machines
    a.save("a", "text a", topic_key="k")
    b.seconds += 1
    late = b.save("b", "text b", topic_key="k")
    b.sync()
    c.pull(b)
    c.sync()
    a.pull(b)
    a.sync()  # makes one of the two
    b.seconds += 10
    b.store.update(late, Changes(content="text b, corrected"))
    settle(machines)

    (live,) = [note for note in agree(machines)["notes"].values() if not note.deleted_at]
    assert live.content == "text b, corrected"


def test_what_was_deleted_for_good_does_not_come_back(machines):
    a, b, c = machines
    here, there = shared(a, b)
    b.store.update(there, Changes(content="edited meanwhile"))
    a.store.delete(here, hard=True)
    settle(machines)

    assert agree(machines)["notes"] == {}
    c.pull(a, b)
    forget(c)
    c.sync()
    assert c.view()["notes"] == {}


def test_what_was_deleted_for_good_elsewhere_can_be_read_nowhere_in_the_file(tmp_path):
    a, b = (Machine(tmp_path / name, Store(SqliteDatabase(tmp_path / name / "memory.db"))) for name in "ab")
    here = a.save("quixotic", "about zanzibar")
    a.store.update(here, Changes(content="about xylophones"))
    settle([a, b], 1)
    a.store.delete(here, hard=True)
    a.sync()
    b.pull(a)
    b.sync()

    held = b"".join(path.read_bytes() for path in (tmp_path / "b").glob("memory.db*")).lower()
    assert [word for word in (b"quixot", b"zanzibar", b"xylophon") if word in held] == []
    for machine in (a, b):
        machine.store.close()


def test_a_deletion_for_good_goes_out_however_many_edits_come_late(machines):
    a, b, _ = machines
    here, there = shared(a, b)
    b.store.delete(there, hard=True)
    for number in range(2):
        a.store.update(here, Changes(content=f"edit {number}"))
        a.sync()
    b.pull(a)

    assert b.sync().went == Counts(1, 1)
    a.pull(b)
    a.sync()
    assert agree([a, b])["notes"] == {}


@pytest.mark.parametrize("effect", range(9))
def test_a_chunk_that_is_lost_after_a_kill_is_written_again(machines, effect):
    a, b, _ = machines
    a.save("one")
    a.sync()
    before = ChunkFolder(a.folder).names()
    a.save("two")
    killed(a, after=effect)
    for name in ChunkFolder(a.folder).names() - before:
        (a.folder / name).unlink()
    a.sync()
    b.pull(a)
    b.sync()

    assert {note.title for note in agree([a, b])["notes"].values()} == {"one", "two"}


def test_a_chunk_that_was_read_before_a_kill_and_is_lost_is_written_again(machines):
    a, b, c = machines
    b.sync()
    a.save("one")
    a.sync()
    b.pull(a)
    with pytest.MonkeyPatch.context() as patch, suppress(Killed):
        patch.setattr(Sync, "_hand_out", lambda _: (_ for _ in ()).throw(Killed))
        b.sync()
    for chunk in b.folder.glob("*.jsonl"):
        chunk.unlink()
    b.sync()
    c.pull(b)
    c.sync()

    assert agree(machines)["notes"]


@pytest.mark.parametrize("after", range(12))
def test_a_machine_that_no_longer_knows_which_chunks_there_were_writes_what_the_folder_lacks(machines, after):
    a, b, _ = machines
    a.save("one")
    a.sync()
    lost = set(a.folder.iterdir())
    a.save("two")
    a.sync()
    forget(a)
    a.memo.unlink()
    for chunk in lost:
        chunk.unlink()

    killed(a, after)
    settle([a, b])

    assert {each.title for each in agree([a, b])["notes"].values()} == {"one", "two"}
    assert [each.sync().went for each in (a, b)] == [Counts()] * 2


def test_a_chunk_of_its_own_that_is_damaged_later_is_told_until_it_is_sound_again(machines):
    a, _, _ = machines
    a.save("one")
    a.sync()
    (chunk,) = a.folder.iterdir()
    sound = chunk.read_bytes()
    assert [a.sync().troubles for _ in range(2)] == [(), ()]

    chunk.write_bytes(sound + b"junk\n")

    assert [a.sync().troubles, a.status().troubles, a.sync().troubles] == [
        (Trouble(chunk.name, DAMAGED),)
    ] * 3
    chunk.write_bytes(sound)
    assert [a.status().troubles, a.sync().troubles, a.sync().troubles] == [()] * 3
    chunk.unlink()
    assert a.sync().went.notes == 1
    assert chunk.read_bytes() == sound


@pytest.mark.parametrize(
    "text", [b"", b"\xc8\x03", b"[]", b'{"a":1}', b'{"\\ud800":[1]}', b"[" * 100_000, b'{"a":' * 100_000]
)
def test_a_memo_that_cannot_be_read_is_none(machines, text):
    a, _, _ = machines
    a.save("one")
    a.sync()
    a.memo.write_bytes(text)

    assert a.sync() == a.sync() == Synced(Counts(), Counts())
    a.save("two")
    assert a.sync().went.notes == 1


def test_a_chunk_that_goes_while_a_sync_runs_is_written_again(machines, monkeypatch):
    a, b, _ = machines
    a.save("one")
    a.sync()
    hand_out = Sync._hand_out

    def while_git_checks_out(sync: Sync) -> Any:
        shutil.rmtree(a.folder)
        return hand_out(sync)

    with monkeypatch.context() as patch:
        patch.setattr(Sync, "_hand_out", while_git_checks_out)
        a.sync()
    settle([a, b])

    assert [each.title for each in agree([a, b])["notes"].values()] == ["one"]


def test_edges_of_a_note_that_is_gone_are_gone(machines):
    a, b, _ = machines
    (one, _), (other, there) = shared(a, b, "one"), shared(a, b, "other")
    a.store.relate(one, other)
    b.store.delete(there, hard=True)
    settle([a, b])

    assert agree([a, b])["edges"] == set()
    assert [machine.sync().went for machine in (a, b)] == [Counts()] * 2


def test_personal_notes_and_prompts_stay_home_unless_asked_for(machines):
    a, b, c = machines
    a.save("mine", "a private thought", scope="personal")
    a.save("ours")
    a.store.add_prompt("what I typed", project=PROJECT)
    a.store.save(NoteDraft("other project", "x", project="elsewhere"))
    assert a.sync().went == Counts(1, 1, 1)
    data = b"".join(path.read_bytes() for path in a.folder.iterdir())
    assert not any(word in data for word in (b"private thought", b"typed", b"elsewhere", b"personal"))

    assert a.sync(personal=True, prompts=True).went == Counts(1, 1, 0, 1)
    b.pull(a)
    b.sync()
    assert {each.title for each in b.store.export().notes} == {"mine", "ours"}
    assert [each.content for each in b.store.prompts().items] == ["what I typed"]
    a.store.delete_prompt(1)
    a.store.update(1, Changes(content="still shared, as it was asked for once"))
    settle([a, b])
    assert b.store.prompts().items == ()
    assert b.store.recent(Query(scope="personal")).items[0].content.startswith("still shared")
    assert c.sync().came == Counts()


@pytest.mark.parametrize("changes", [Changes(scope="personal"), Changes(project="elsewhere")])
def test_a_note_that_is_no_longer_shared_is_withdrawn_and_goes_on_here(machines, changes):
    a, b, c = machines
    here, there = shared(a, b)
    a.store.update(here, changes)
    a.store.update(here, Changes(content="for my eyes"))
    b.store.update(there, Changes(title="edited there"))
    settle(machines)

    assert a.store.get(here).content == "for my eyes"
    assert b.store.get(there) is None
    assert b.store.restore(there).content == "words"
    assert b"my eyes" not in b"".join(path.read_bytes() for path in c.folder.iterdir())
    settle(machines)
    assert a.store.get(here).content == "for my eyes"
    views = [machine.view()["notes"] for machine in (b, c)]
    assert views[0] == views[1]


def test_secrets_are_taken_out_again_on_the_way(machines):
    a, b, _ = machines
    note = a.save("title")
    with a.store.database.writing() as tx:  # kept before there was a pattern for it
        tx.run("UPDATE notes SET content = 'token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1'")
    settle([a, b])

    assert agree([a, b])
    assert a.store.get(note).content == "token [REDACTED]"
    assert all(b"ghp_" not in path.read_bytes() for path in a.folder.iterdir())


def test_folders_and_names_of_machines_do_not_travel(machines):
    a, b, _ = machines
    a.store.start_session("s", project=PROJECT, directory="/home/mia/shop")
    a.save("one", session_id="s")
    settle([a, b])

    assert all(b"mia" not in path.read_bytes() for path in a.folder.iterdir())
    assert (a.store.session("s").directory, b.store.session("s").directory) == ("/home/mia/shop", "")


def test_a_project_may_have_another_name_on_another_machine(machines):
    a, b, _ = machines
    a.save("one")
    a.sync()
    b.pull(a)
    Sync(b.store, SyncFolder(ChunkFolder(b.folder), b.memo), "shop-fork").run()

    assert b.store.recent(Query(project="shop-fork")).items[0].title == "one"


def test_a_chunk_of_one_project_does_not_touch_notes_of_another(machines):
    a, b, _ = machines
    here = a.save("one")
    a.sync()
    b.store.take_in(a.store.export()._replace(relations=(), revisions=()))
    b.store.merge_projects([PROJECT], "elsewhere")
    a.store.update(here, Changes(content="changed"))
    a.sync()
    b.pull(a)
    b.sync()

    assert [each.content for each in b.store.export().notes] == ["words"]


def test_exactly_what_is_of_the_project_goes_once_with_the_sessions_it_is_in(machines):
    a, b, _ = machines
    for project in (PROJECT, "elsewhere"):
        a.store.start_session(f"s-{project}", project=project)
        a.store.save(NoteDraft("note", f"of {project}", project=project, session_id=f"s-{project}"))
        a.store.add_prompt("typed", project=project, session_id=f"s-{project}")
    a.store.save(NoteDraft("guest", "ours in their session", project=PROJECT, session_id="s-elsewhere"))
    a.store.start_session("unused", project="elsewhere")
    a.sync(prompts=True)
    b.pull(a)
    b.sync()

    assert {each.title for each in b.store.export().notes} == {"note", "guest"}
    assert [each.session_id for each in b.store.prompts().items] == [f"s-{PROJECT}"]
    assert {each.id for each in b.store.export().sessions} == {f"s-{PROJECT}", "s-elsewhere"}
    assert [machine.sync().went for machine in (a, b)] == [Counts()] * 2  # what came is not sent back


def test_status_says_what_would_come_and_go_and_does_nothing(machines):
    a, b, _ = machines
    a.save("one")
    b.save("two")
    b.sync()
    a.pull(b)
    before = a.store.export()

    status = a.status()
    assert (status.came, status.went) == (Counts(1, 1, 1), Counts(0, 1, 1))
    assert a.store.export()._replace(exported_at="") == before._replace(exported_at="")
    assert a.status() == status
    synced = a.sync()
    assert synced.came == status.came
    assert synced.went._replace(chunks=0)[:2] == status.went[:2]
    assert a.status() == sync_module.Synced()


# Damage, malice, accidents


def test_a_damaged_chunk_is_named_and_skipped_and_comes_in_once_it_is_mended(machines):
    a, b, _ = machines
    for number in range(3):
        a.save(f"note {number}")
        a.sync()
    b.pull(a)
    chunks = sorted(b.folder.iterdir())
    whole = chunks[0].read_bytes()
    chunks[0].write_bytes(whole[: len(whole) // 2])
    (b.folder / "mine.jsonl").write_text("{}")
    done = b.sync()

    assert [(trouble.chunk, trouble.reason) for trouble in done.troubles] == [
        ("mine.jsonl", "its name is no hash: it is no chunk"),
        (chunks[0].name, DAMAGED),
    ]
    assert len(b.view()["notes"]) == 2
    assert check(ChunkFolder(b.folder)).troubles == done.troubles
    chunks[0].write_bytes(whole.replace(b"\n", b"\r\n"))  # as git may write it on Windows
    b.sync()
    assert b.view()["notes"] == a.view()["notes"]


def test_a_damaged_chunk_of_our_own_is_written_again(machines):
    a, b, _ = machines
    a.save("one")
    a.sync()
    (chunk,) = a.folder.iterdir()
    whole = chunk.read_bytes()
    chunk.unlink()
    a.sync()

    assert chunk.read_bytes() == whole
    b.pull(a)
    b.sync()
    assert agree([a, b])["notes"]


def test_chunks_have_a_bounded_size(machines, monkeypatch):
    a, b, _ = machines
    a.store.save_all([NoteDraft(f"t{n}", f"words {n} " * 50, project=PROJECT) for n in range(300)])
    monkeypatch.setattr("modicum.memory.sync.chunks.split_by_size.__defaults__", (50_000,))
    went = a.sync().went
    b.pull(a)
    b.sync()

    assert went.chunks > 3
    assert all(path.stat().st_size < 60_000 for path in a.folder.iterdir())
    assert agree([a, b])


def test_a_note_that_is_too_large_stays_home_and_is_named(machines, monkeypatch):
    a, _, _ = machines
    monkeypatch.setattr("modicum.memory.sync.run.MOST_BYTES", 2_000)
    a.save("small")
    a.save("large", "x" * 5_000)
    done = a.sync()

    assert done.went.notes == 1
    assert [trouble.reason for trouble in done.troubles] == ["it is too large to be shared"]


def test_a_sync_costs_as_much_as_there_is_news(tmp_path):
    a = Machine(tmp_path / "a", Store(SqliteDatabase(tmp_path / "memory.db")))
    a.store.save_all([NoteDraft(f"t{n}", f"words {n}", project=PROJECT) for n in range(300)])
    a.sync()
    costs = []
    for number in (0, 1, 10):
        for each in range(number):
            a.store.pin(each + 1 + number)
        costs.append(statements(a))

    assert costs[0] < 25
    assert costs[1] < costs[0] + 40
    assert costs[2] < costs[0] + 40 * 10
    a.store.close()


def statements(machine: Machine) -> int:
    seen = [0]
    real = SqliteTransaction._execute

    def counted(self, sql, values):
        seen[0] += 1
        return real(self, sql, values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteTransaction, "_execute", counted)
        machine.sync()
    return seen[0]


def test_links_in_the_place_of_the_folder_are_refused(machines, tmp_path):
    a, _, _ = machines
    a.folder.parent.mkdir(parents=True)
    a.folder.symlink_to(tmp_path)
    with pytest.raises(ModicumError, match="is a link"):
        a.sync()
    a.folder.unlink()
    a.folder.write_text("")
    with pytest.raises(ModicumError, match="is no folder"):
        a.sync()


def test_a_folder_that_cannot_be_written_loses_nothing(machines, monkeypatch):
    a, b, _ = machines
    a.save("one")
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(ModicumError, match="No space left"):
            a.sync()
    assert list(a.folder.iterdir()) == []
    settle([a, b])
    assert agree([a, b])["notes"]


def test_a_process_that_is_killed_leaves_no_half_chunk(tmp_path):
    folder = tmp_path / "clone" / ".modicum" / "memory"
    script = f"""
import os, signal
from pathlib import Path
from modicum.memory.model import NoteDraft
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store
from modicum.memory.sync.run import Sync, SyncFolder
from modicum.memory.sync.folder import ChunkFolder
store = Store(SqliteDatabase({str(tmp_path / "memory.db")!r}))
store.save_all([NoteDraft(f"t{{n}}", f"words {{n}} " * 20, project="shop") for n in range(30)])
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
Sync(store, SyncFolder(ChunkFolder(Path({str(folder)!r})), Path({str(tmp_path / "memo")!r})), "shop").run()
"""
    done = subprocess.run([sys.executable, "-c", script], timeout=60, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert ChunkFolder(folder).names() == set()
    parts = [path for path in folder.iterdir() if path.name.startswith(".part-")]
    assert len(parts) == 1
    os.utime(parts[0], (time.time() - 7200, time.time() - 7200))

    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    done = Sync(store, SyncFolder(ChunkFolder(folder), tmp_path / "memo"), PROJECT).run()
    store.close()
    assert done.went.notes == 30
    assert check(ChunkFolder(folder)).troubles == ()
    assert [path.name for path in folder.iterdir()] == list(ChunkFolder(folder).names())


def test_two_syncs_at_once_lose_nothing(machines):
    a, b, _ = machines
    a.store.save_all([NoteDraft(f"t{n}", f"words {n}", project=PROJECT) for n in range(60)])
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(a.sync) for _ in range(3)]
        jobs += [pool.submit(a.save, f"meanwhile {n}") for n in range(20)]
        for job in jobs:
            job.result()
    settle([a, b], 2)

    assert len(agree([a, b])["notes"]) == 80


def test_sessions_without_notes_come_and_go(machines):
    a, b, _ = machines
    a.store.start_session("s", project=PROJECT, namespace="n")
    settle([a, b])
    assert b.store.session("s").namespace == "n"
    b.store.delete_session("s")
    settle([a, b])

    assert a.store.session("s") is None
    a.store.start_session("s", project=PROJECT)
    settle([a, b])
    assert b.store.session("s")


def test_a_session_that_holds_something_stays_though_it_was_removed_elsewhere(machines):
    a, b, _ = machines
    a.store.start_session("s", project=PROJECT)
    settle([a, b])
    a.store.delete_session("s")
    b.save("one", session_id="s")
    settle([a, b])

    assert agree([a, b])["sessions"].keys() == {"s"}


def test_a_project_that_is_renamed_goes_on_under_its_new_name(machines):
    a, b, _ = machines
    here, there = shared(a, b)
    a.store.add_prompt("why", project=PROJECT)
    a.sync(prompts=True)
    a.store.rename_project(PROJECT, "store")
    a.store.update(here, Changes(content="after the move"))
    assert a.sync().went == Counts()  # under its old name there is nothing left
    Sync(a.store, SyncFolder(ChunkFolder(a.folder), a.memo), "store").run()
    settle([b], 1)
    b.pull(a)
    b.sync()

    assert b.store.get(there).content == "after the move"
    assert a.store.prompts().items[0].project == "store"


def test_what_a_chunk_says_of_a_note_before_the_note_is_there_is_kept_for_it(machines):
    a, b, c = machines
    one, other = a.save("one"), a.save("other")
    a.sync()
    first = a.folder.glob("*").__next__()
    b.pull(a)
    b.sync()
    a.store.update(one, Changes(content="changed"))
    a.store.pin(one)
    a.store.relate(one, other)
    a.sync()
    c.pull(a)
    (c.folder / first.name).unlink()
    assert c.sync().came.notes == 1
    assert c.view()["notes"] == {}
    settle(machines)

    assert len(agree(machines)["edges"]) == 1


def test_a_folder_that_is_checked_out_at_another_commit_is_made_whole(machines):
    a, b, _ = machines
    for number in range(3):
        a.save(f"note {number}")
        a.sync()
    for path in sorted(a.folder.iterdir())[:2]:
        path.unlink()
    assert a.sync().went.notes == 2
    assert a.sync().went == Counts()
    b.pull(a)
    b.sync()
    assert len(agree([a, b])["notes"]) == 3


def test_a_store_that_has_lost_what_it_knew_of_sync_agrees_again(machines):
    a, b, _ = machines
    here, there = shared(a, b)
    a.store.update(here, Changes(content="second", topic_key="k"))
    a.store.pin(here)
    settle([a, b])
    b.store.pin(there, pinned=False)
    b.store.update(there, Changes(content="third"))
    b.sync()
    with a.store.database.writing() as tx:
        for table in ("homes", "states", "changes", "outbox", "chunks"):
            tx.run(f"DELETE FROM sync_{table}")
    settle([a, b])

    (note,) = agree([a, b])["notes"].values()
    assert (note.content, note.pinned, note.topic_key, note.revision_count) == ("third", 0, "k", 3)


def test_an_edge_that_was_removed_here_is_not_brought_back_by_older_news(machines):
    a, b, _ = machines
    (one, one_there), (other, other_there) = shared(a, b, "one"), shared(a, b, "other")
    a.store.relate(one, other)
    settle([a, b])
    b.store.unrelate(b.store.relations(one_there)[0].id)
    b.sync()
    b.store.relate(one_there, other_there, note="again")
    b.sync()
    a.seconds += 100
    a.store.unrelate(a.store.relations(one)[0].id)
    settle([a, b])

    assert agree([a, b])["edges"] == set()


def test_what_was_known_of_a_note_before_it_came_by_another_way_still_holds(machines):
    a, _, c = machines
    note = a.save("one")
    a.sync()
    first = next(a.folder.glob("*")).name
    a.store.pin(note)
    a.sync()
    c.pull(a)
    (c.folder / first).unlink()
    c.sync()
    archive = a.store.export()
    bare = archive._replace(notes=tuple(each._replace(pinned=0) for each in archive.notes))
    c.store.take_in(bare)
    c.sync()
    a.pull(c)
    a.sync()

    assert c.view()["notes"] == a.view()["notes"]


def test_a_chunk_that_is_too_large_or_gone_is_named(machines, monkeypatch):
    a, b, _ = machines
    a.save("one")
    a.sync()
    b.pull(a)
    (name,) = ChunkFolder(a.folder).names()
    monkeypatch.setattr("modicum.memory.sync.folder.MOST_BYTES", 10)

    assert [trouble.reason for trouble in b.sync().troubles] == ["it has more than 10 bytes"]
    (b.folder / name).unlink()
    assert ChunkFolder(b.folder).read(name) == "it cannot be read: No such file or directory"


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=mia", "-c", "user.email=mia@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, timeout=60)


def test_two_branches_merge_in_git_without_a_conflict(machines, tmp_path):
    a, b, _ = machines
    origin = tmp_path / "origin.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(origin))
    for machine in (a, b):
        clone = machine.folder.parent.parent
        clone.parent.mkdir(parents=True, exist_ok=True)
        git(clone.parent, "clone", "-q", str(origin), clone.name)
        git(clone, "checkout", "-q", "-B", "main")
    here = a.folder.parent.parent
    a.save("begun", topic_key="k")
    publish(a)
    git(b.folder.parent.parent, "pull", "-q", "--no-rebase", "origin", "main")
    b.sync()
    for machine in (a, b):
        machine.store.update(1, Changes(content=f"by {machine.name}"))
        machine.save("own", f"of {machine.name}")
    publish(a)
    b.sync()
    git(b.folder.parent.parent, "add", ".modicum/memory")
    git(b.folder.parent.parent, "commit", "-q", "-m", "notes")
    git(b.folder.parent.parent, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    publish(b)
    git(here, "pull", "-q", "--no-rebase", "origin", "main")
    a.sync()

    assert len(agree([a, b])["notes"]) == 3


def publish(machine: Machine) -> None:
    clone = machine.folder.parent.parent
    machine.sync()
    git(clone, "add", ".modicum/memory")
    git(clone, "commit", "-q", "--allow-empty", "-m", "notes")
    git(clone, "push", "-q", "origin", "main")


def test_nobody_shares_what_is_personal_to_others(machines):
    a, b, _ = machines
    ann, ben = (Machine(a.folder.parents[2], a.store.seen_by(Person(name))) for name in ("ann", "ben"))
    for machine in (ann, ben):
        machine.save("diary", f"a thought of {machine.store.who.name}", scope="personal")
        machine.store.add_prompt(f"typed by {machine.store.who.name}", project=PROJECT)
    number = ben.save("moved", "for all at first")
    ann.sync()
    ben.store.update(number, Changes(scope="personal", content="a later thought of ben"))

    assert ann.sync(personal=True, prompts=True).went.prompts == 1
    data = b"".join(path.read_bytes() for path in a.folder.iterdir())
    assert b"thought of ann" in data
    assert b"typed by ann" in data
    assert b"of ben" not in data
    assert b"by ben" not in data
    b.pull(a)
    cat = Machine(b.folder.parents[2], b.store.seen_by(Person("cat")))
    cat.sync()
    assert [each.content for each in cat.store.recent(Query(scope="personal")).items] == ["a thought of ann"]
    assert [each.content for each in cat.store.prompts().items] == ["typed by ann"]
    assert b.store.seen_by(Person("dan")).recent(Query(scope="personal")).items == ()


def test_a_chunk_cannot_overwrite_what_is_personal_to_others(machines):
    a, b, _ = machines
    ben = a.store.seen_by(Person("ben"))
    mine = ben.save(NoteDraft("diary", "a thought of ben", project=PROJECT, scope="personal")).id
    forged = a.store.get(mine)._replace(content="forged", scope="personal", owner="")
    b.store.take_in(Archive(notes=(forged,)))
    b.sync(personal=True)
    ann = Machine(a.folder.parents[2], a.store.seen_by(Person("ann")))
    ann.pull(b)
    ann.sync(personal=True)

    assert ben.get(mine).content == "a thought of ben"
    assert [each.content for each in ann.store.recent(Query(scope="personal")).items] == ["forged"]


def test_what_is_no_file_among_the_chunks_is_named_and_not_read(machines, tmp_path):
    a, _, _ = machines
    a.save("one")
    a.sync()
    (tmp_path / "secret").write_text("secret")
    (a.folder / f"{'0' * 32}.jsonl").symlink_to(tmp_path / "secret")
    (a.folder / f"{'1' * 32}.jsonl").mkdir()

    reason = "it is a link or no file, and is not read: remove it"
    wanted = (Trouble(f"{'0' * 32}.jsonl", reason), Trouble(f"{'1' * 32}.jsonl", reason))
    assert a.sync().troubles == a.status().troubles == check(ChunkFolder(a.folder)).troubles == wanted


def test_a_file_in_the_place_of_a_folder_is_refused(machines):
    a, _, _ = machines
    a.folder.parents[1].mkdir(parents=True)
    a.folder.parent.write_text("a file")

    with pytest.raises(ModicumError, match=r"\.modicum is no folder.*move that file away"):
        a.sync()


def test_a_folder_that_cannot_be_listed_is_one_sentence(machines, monkeypatch):
    a, _, _ = machines

    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("modicum.memory.sync.folder.os.scandir", refuse)
    with pytest.raises(ModicumError, match=r"cannot be read: Permission denied.*check the rights"):
        a.sync()


def test_an_edit_on_top_of_a_time_that_is_far_ahead_still_wins(machines):
    a, b, c = machines
    b.seconds = 4_102_444_800.0  # the year 2100
    c.seconds = 1.0  # 1970
    here, there = shared(a, b)
    b.store.update(there, Changes(content="from 2100"))
    settle(machines)
    a.store.update(here, Changes(content="from now"))
    settle(machines)
    last = next(each.id for each in c.store.export().notes)
    assert c.store.get(last).content == "from now"
    c.store.update(last, Changes(content="from 1970"))
    settle(machines)

    assert [[each.content for each in m.store.export().notes] for m in machines] == [["from 1970"]] * 3
    wordings = [[each[2:6] for each in m.store.export().revisions] for m in machines]
    assert wordings[0] == wordings[1] == wordings[2]
    assert [machine.sync().went for machine in machines] == [Counts()] * 3


def test_what_is_dated_far_ahead_is_shown_as_of_tomorrow_and_stays_agreed_on(machines):
    a, b, _ = machines
    b.seconds = 253_370_764_800.0  # the year 9999
    b.store.start_session("s", project=PROJECT)
    first, second = b.save("first", session_id="s"), b.save("second", session_id="s")
    b.store.update(first, Changes(content="again"))
    b.store.relate(first, second)
    b.store.add_prompt("typed", project=PROJECT, session_id="s")
    b.store.delete(second)
    b.store.end_session("s", "done")
    b.sync(prompts=True)
    a.pull(b)
    a.sync()
    rows = [row for rows in a.store.export()[1:6] for row in rows]
    times = [value for row in rows for name, value in row._asdict().items() if name.endswith("_at")]
    assert len(times) > 12
    assert max(times) <= stamp(a.seconds + 86_400)

    a.seconds += 2 * 86_400
    today = a.save("today")
    assert [each.id for each in a.store.recent(Query(limit=1)).items] == [today]
    settle([a, b], 2)
    assert [machine.sync().went for machine in (a, b)] == [Counts()] * 2
    assert b.store.get(first).created_at.startswith("9999-")


def test_a_note_of_which_several_chunks_speak_is_counted_once(machines):
    a, b, _ = machines
    here = a.save("one")
    a.sync()
    a.store.update(here, Changes(content="changed"))
    a.sync()
    b.pull(a)

    assert b.status().came == check(ChunkFolder(a.folder)).came == b.sync().came == Counts(2, 1, 1)


def test_who_said_so_travels_and_what_no_chunk_tells_came_by_sync(machines):
    a, b, _ = machines
    a.store.origin = "agent:codex"
    said = a.save("one")
    a.store.origin = ""
    a.save("two")
    settle(machines)

    notes = agree(machines)["notes"].values()
    assert {note.title: note.origin for note in notes} == {"one": "agent:codex", "two": "sync"}
    b.store.origin = "person"
    b.store.update(
        next(n.id for n in b.store.recent().items if n.title == "one"), Changes(content="new words")
    )
    settle(machines)
    assert a.store.get(said).origin == "person"


def test_what_waits_in_the_inbox_is_shared_once_it_is_accepted(machines):
    a, b, _ = machines
    a.save("one")
    waits = a.store.save_waiting(NoteDraft("two", "in doubt", project=PROJECT), "why").id
    settle(machines)
    assert {note.title for note in b.store.export().notes} == {"one"}

    a.store.accept([waits])
    settle(machines)
    assert {note.title for note in b.store.recent().items} == {"one", "two"}
