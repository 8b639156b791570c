"""Every change of memory can be taken back: exactly, once, and by whoever made it."""

import inspect
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modicum.base.errors import ModicumError
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import (
    Archive,
    Changes,
    Forbidden,
    Note,
    NoteDraft,
    NotFound,
    Prompt,
    Query,
    Refused,
    Relation,
    Revision,
    Session,
)
from modicum.memory.people.access import Person
from modicum.memory.store import Store
from modicum.memory.tables import batches
from modicum.memory.tables.rescue import Lost
from modicum.memory.undo.model import Reach
from modicum.memory.writer import Writer

AT = "2026-01-02T03:04:05.000Z"
# Every table but the batches, the audit, and numbers that only count on.
TABLES = {
    "waiting": "SELECT * FROM waiting ORDER BY note_id",
    "notes": "SELECT * FROM notes ORDER BY id",
    "sessions": "SELECT * FROM sessions ORDER BY id",
    "revisions": "SELECT * FROM revisions ORDER BY note_id, number",
    "relations": "SELECT * FROM relations ORDER BY id",
    "prompts": "SELECT * FROM prompts ORDER BY id",
    "progress": "SELECT * FROM progress ORDER BY id",
    "passages": "SELECT * FROM passages ORDER BY id",
    "tallies": "SELECT * FROM tallies WHERE count <> 0 ORDER BY kind, project, owner, scope, type, namespace",
    "homes": "SELECT project FROM sync_homes ORDER BY project",
}
WORDS = ("walrus", "seal", "otter", "heron", "鲸鱼", "a\r\nb")


def rows(store):
    with store.database.reading() as tx:
        found = {name: tx.rows(sql) for name, sql in TABLES.items()}
        found["words"] = sorted(tx.words.frequencies(tx, ["walru", "seal", "otter", "heron", "queu"]).items())
        found["totals"] = [tuple(tx.words.totals(tx))]
    return found


def archive():
    return Archive(
        sessions=(Session("s9", "p", started_at=AT, active_at=AT),),
        notes=(
            Note(71, "obs-a", "s9", "manual", "walrus", "a walrus", project="p", created_at=AT, updated_at=AT, last_seen_at=AT),
            Note(72, "obs-b", "s9", "manual", "seal", "a seal", project="q", created_at=AT, updated_at=AT, last_seen_at=AT),
        ),
        prompts=(Prompt(5, "prompt-a", "s9", "why a walrus?", "p", "", AT),),
        relations=(Relation(1, 71, 72, "relates_to", "both swim", AT),),
        revisions=(Revision(71, 1, "manual", "walrus", "an old walrus", "", AT),),
    )  # fmt: skip


def fill(store):
    """Something of everything: three notes, one of them deleted, relations, prompts, progress."""
    one = store.save(NoteDraft("Queue", "The queue is a walrus.", project="p", topic_key="t")).id
    two = store.save(NoteDraft("Otter", "otter and seal", project="p", session_id="work")).id
    gone = store.save(NoteDraft("Heron", "heron", project="q")).id
    lost = store.save(NoteDraft("Lost", "a lost seal")).id
    store.save_waiting(NoteDraft("Doubt", "a doubtful walrus", project="p"), "doubtful")
    store.delete(gone)
    store.relate(one, two, note="otter")
    store.add_prompt("why walrus?", project="p")
    store.add_prompt("why heron?", project="empty")
    store.put_progress("p", '{"next": "seal"}')
    return one, two, gone, lost


# How each public method of the store changes something; one that is not here fails the test that lists them.
def waiting(store):
    return store.inbox(Query()).items[0].id


CHANGES = {
    "save": lambda s, n: s.save(NoteDraft("New", "a new heron", project="p")),
    "save_all": lambda s, n: s.save_all([NoteDraft(f"{k}", f"heron {k}", project="new") for k in range(3)]),
    "capture": lambda s, n: s.capture("## Key Learnings:\n- A walrus can swim for days without any rest\n", project="p"),
    "update": lambda s, n: s.update(n[0], Changes(title="Otter", content="otter instead", project="z")),
    "delete": lambda s, n: s.delete(n[0]),
    "delete_all": lambda s, n: s.delete_all(n[:2]),
    "restore": lambda s, n: s.restore(n[2]),
    "pin": lambda s, n: s.pin(n[1]),
    "start_session": lambda s, n: s.start_session("fresh", project="p"),
    "end_session": lambda s, n: s.end_session("work", "all about the otter"),
    "add_prompt": lambda s, n: s.add_prompt("why seal?", project="p"),
    "relate": lambda s, n: s.relate(n[0], n[1], "supersedes", both=True),
    "unrelate": lambda s, n: s.unrelate(s.relations(n[0])[0].id),
    "merge_projects": lambda s, n: s.merge_projects(["p", "q"], "z"),
    "rename_project": lambda s, n: s.rename_project("p", "y"),
    "rescue": lambda s, n: s.rescue(Lost(notes=(n[3],)), "p"),
    "remove_project": lambda s, n: s.remove_project("empty"),
    "put_progress": lambda s, n: s.put_progress("p", '{"next": "otter"}'),
    "compact": lambda s, n: s.compact(n[:2], Query(until="2999"), title="Sum", content="walrus in short"),
    "take_in": lambda s, n: s.take_in(archive()),
    "undo": lambda s, n: s.undo(),
    "save_waiting": lambda s, n: s.save_waiting(NoteDraft("Doubts", "a heron", project="p"), "doubtful"),
    "accept": lambda s, n: s.accept([waiting(s)]),
    "drop": lambda s, n: s.drop([waiting(s)]),
}  # fmt: skip
FOR_GOOD = {"delete_prompt", "delete_session"}  # as `delete` is with `hard`
OTHERS = {
    "enter_project",
    "project_of_session",
    "join_project",
    "in_one_batch",
    "batch",
    "prompt",
    "repeats",
    "rebuild_index",
    *FOR_GOOD,
}


def test_every_method_that_changes_the_store_is_tried_here():
    public = {
        name for name, _ in inspect.getmembers(Store, inspect.isfunction) if name in {**vars(Writer), **vars(Store)} and name[0] != "_"
    }  # fmt: skip

    assert public == {*CHANGES, *OTHERS}


def test_several_changes_of_one_purpose_are_one_batch_and_go_back_together(store):
    numbers = fill(store)
    before, known = rows(store), len(store.log(500))

    together = store.in_one_batch("merge")
    assert together.joined_number == 0
    together.update(numbers[0], Changes(content="walrus and otter"))
    together.relate(numbers[0], numbers[1], "supersedes")
    together.delete(numbers[1])

    log = store.log(500)
    assert len(log) == known + 1
    assert (log[0].batch.kind, log[0].batch.id) == ("merge", together.joined_number)
    store.undo(together.joined_number)
    assert rows(store) == before


def test_what_was_done_before_one_of_several_changes_failed_goes_back_too(store):
    numbers = fill(store)
    before = rows(store)
    together = store.in_one_batch("merge")
    together.pin(numbers[1])
    with pytest.raises(NotFound):
        together.pin(999)

    store.undo(together.joined_number)

    assert rows(store) == before


def test_what_is_deleted_for_good_shares_no_batch_with_what_can_come_back(store):
    numbers = fill(store)
    together = store.in_one_batch("tidy")
    together.pin(numbers[1])
    together.delete(numbers[0], hard=True)

    assert [each.batch.kind for each in store.log(2)] == ["delete for good", "tidy"]
    assert store.undo(together.joined_number).counts == {"note": 1}
    assert store.get(numbers[0], deleted=True) is None


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_one_batch_and_its_undo_gives_back_every_row(store, clock, name):
    numbers = fill(store)
    clock.pass_(minutes=20)
    before, known = rows(store), len(store.log(500))

    CHANGES[name](store, numbers)
    changed, log = rows(store), store.log(500)
    assert changed != before
    assert len(log) == known + 1
    clock.pass_(minutes=1)
    done = store.undo(log[0].batch.id)

    assert rows(store) == before
    assert done.left == ()
    store.undo(done.number)
    assert rows(store) == changed
    assert store.problems() == ()


def test_undo_after_undo_goes_further_back(store, clock):
    states = [rows(store)]
    for word in ("walrus", "seal", "otter"):
        clock.pass_(minutes=1)
        store.save(NoteDraft(word, word, project="p"))
        states.append(rows(store))

    for state in reversed(states[:-1]):
        store.undo()
        assert rows(store) == state
    with pytest.raises(NotFound, match="nothing to undo"):
        store.undo()


def test_a_batch_is_undone_once_and_its_undo_brings_it_back(store):
    store.save(NoteDraft("a", "walrus", project="p"))
    saved = rows(store)
    done = store.undo()

    with pytest.raises(Refused, match=rf"already.*batch.undo id={done.number}"):
        store.undo(done.batch.id)
    again = store.undo(done.number)
    assert rows(store) == saved
    assert again.batch.kind == "undo"
    assert store.undo().batch.id == done.batch.id


def test_what_a_later_batch_changed_is_named_and_left(store):
    one = store.save(NoteDraft("Queue", "walrus", project="p")).id
    two = store.save(NoteDraft("Other", "seal", project="p")).id
    store.merge_projects(["p"], "z")
    merged = store.log()[0].batch.id
    store.update(one, Changes(content="another walrus"))

    done = store.undo(merged)

    assert [each[:2] for each in done.left] == [(one, "Queue")]
    assert [each[:2] for each in done.notes] == [(two, "Other")]
    assert (store.get(one).project, store.get(two).project) == ("z", "p")
    assert store.get(one).content == "another walrus"
    assert [each.number for each in store.history(one)] == [2, 1]


def test_a_later_batch_that_was_undone_is_in_nobodys_way(store):
    one = store.save(NoteDraft("Queue", "walrus", project="p")).id
    store.update(one, Changes(content="seal"))
    store.update(one, Changes(content="otter"))
    store.undo()

    store.undo()

    assert store.get(one).content == "walrus"


def test_a_dry_run_changes_nothing(store):
    store.save(NoteDraft("Queue", "walrus", project="p"))
    before, log = rows(store), store.log()

    done = store.undo(dry_run=True)

    assert [each[:2] for each in done.notes] == [(1, "Queue")]
    assert (rows(store), store.log()) == (before, log)


def test_what_a_hook_did_is_in_the_log_and_not_taken_by_a_plain_undo(store):
    store.save(NoteDraft("mine", "walrus", project="p"))
    hook = store.through("hook")
    hook.add_prompt("typed", project="p")

    assert [each.batch.source for each in store.log()] == ["hook", ""]
    assert store.undo().batch.kind == "save"
    prompts = store.log()[1].batch
    assert store.undo(prompts.id).counts == {"prompt": 1}
    assert store.prompts().items == ()


def test_a_session_that_holds_something_else_by_now_stays(store):
    store.save(NoteDraft("a", "walrus", project="p", session_id="s"))
    first = store.log()[0].batch.id
    store.save(NoteDraft("b", "seal", project="p", session_id="s"))

    store.undo(first)

    assert store.session("s").notes == 1
    assert [note.title for note in store.recent().items] == ["b"]
    assert store.problems() == ()


def test_an_undo_that_can_change_nothing_does_not_stand_in_the_way(store):
    store.save(NoteDraft("a", "walrus", project="p"))
    store.start_session("s", project="p")
    store.through("hook").add_prompt("typed", project="p", session_id="s")

    assert store.undo().counts == {}
    assert store.session("s")
    assert store.undo().counts == {"note": 1, "session": 1}


def test_what_came_again_since_is_not_brought_twice(store):
    store.take_in(archive())
    done = store.undo()
    store.take_in(archive())

    again = store.undo(done.number)

    assert [note.sync_id for note in store.recent().items] == ["obs-b", "obs-a"]
    assert again.notes == ()
    assert store.problems() == ()


def test_an_import_is_one_batch_however_many_transactions_it_takes(store):
    notes = tuple(
        Note(0, f"obs-{n}", "s", "manual", f"t{n}", f"walrus {n}", project="p", created_at=AT) for n in range(450)
    )  # fmt: skip
    before = rows(store)
    store.take_in(Archive(notes=notes))

    ((batch, counts, titles, *_),) = store.log()
    assert (batch.kind, counts["note"]) == ("import", 450)
    assert len(titles) == 3
    store.undo(kind="import")
    assert rows(store) == before


def test_what_came_before_an_import_broke_off_is_taken_back(store):
    notes = tuple(
        Note(0, f"obs-{n}", "s", "manual", f"t{n}", f"walrus {n}", project="p", created_at=AT) for n in range(450)
    )  # fmt: skip
    before = rows(store)

    def broken(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.take_in(Archive(notes=notes), tell=broken)

    assert store.stats().notes == 200
    store.undo(kind="import")
    assert rows(store) == before


def test_a_write_that_changes_nothing_is_no_batch(store):
    store.start_session("s", project="p")
    store.start_session("s", project="p")
    assert len(store.log()) == 1
    store.undo()
    store.take_in(Archive())
    store.capture("nothing to learn", project="p")
    with suppress(NotFound):
        store.pin(7)

    assert [each.batch.kind for each in store.log()] == ["undo", "session start"]


def test_batches_are_kept_for_thirty_days_and_then_removed_bit_by_bit(store, clock, monkeypatch):
    monkeypatch.setattr(batches, "MOST_PRUNED", 3)
    store.save_all([NoteDraft(f"{n}", f"walrus {n}", project="p") for n in range(10)])
    old = store.log()[0].batch.id
    clock.pass_(days=31)

    assert store.log() == ()
    with pytest.raises(NotFound, match="no batch"):
        store.undo(old)
    kept = []
    for n in range(6):
        store.pin(1, pinned=n % 2 == 0)
        ((count,),) = store.database.ask("SELECT count(*) FROM batch_rows WHERE batch = :id", {"id": old})
        kept.append(count)
    assert kept == sorted(kept, reverse=True)
    assert kept[0] > kept[-1] == 0
    assert [each.batch.kind for each in store.log()] == ["unpin", "pin"] * 3


def test_what_is_deleted_for_good_does_not_come_back(store):
    one = store.save(NoteDraft("a", "walrus", project="p")).id
    two = store.save(NoteDraft("b", "seal", project="p")).id
    store.relate(one, two, note="otter")
    store.unrelate(1)
    store.update(one, Changes(content="heron"))
    store.delete(one, hard=True)

    with pytest.raises(Refused, match="for good"):
        store.undo()
    kept = store.database.ask(
        "SELECT before, content FROM batch_rows WHERE before IS NOT NULL OR content <> ''"
    )
    assert kept == []
    log = store.log()
    assert (log[0].batch.kind, log[0].counts) == ("delete for good", {"note": 1})
    assert store.undo(log[1].batch.id if log[1].counts else log[2].batch.id).left == ()


# People


def test_a_person_undoes_and_sees_only_their_own_batches(store):
    mia, bob = (store.seen_by(Person(name)) for name in ("mia", "bob"))
    mia.save(NoteDraft("hers", "walrus", project="p"))
    bob.save(NoteDraft("his", "seal", project="p"))
    hers, his = mia.log()[0].batch.id, bob.log()[0].batch.id

    assert [each.batch.id for each in mia.log()] == [hers]
    with pytest.raises(NotFound, match="no batch"):
        mia.undo(his)
    assert mia.undo().batch.id == hers
    with pytest.raises(NotFound, match="nothing to undo"):
        mia.undo()
    assert [each.title for each in bob.recent().items] == ["his"]
    assert len(store.log()) == 3


def test_what_a_person_may_no_longer_write_they_cannot_undo(store):
    store.seen_by(Person("mia")).save(NoteDraft("a", "walrus", project="p"))
    before = rows(store)

    with pytest.raises(Forbidden):
        store.seen_by(Person("mia", ("q",))).undo()
    with pytest.raises(Forbidden):
        store.seen_by(Person("mia", read_only=True)).undo()
    assert rows(store) == before


def test_a_note_that_was_left_is_named_only_to_whoever_may_see_it(store):
    mia, bob = (store.seen_by(Person(name)) for name in ("mia", "bob"))
    number = mia.save(NoteDraft("shared", "walrus", project="p")).id
    bob.update(number, Changes(content="seal"))
    changed = bob.log()[0].batch.id
    mia.update(number, Changes(title="secret", scope="personal"))

    assert bob.undo(changed).left == ()
    assert mia.get(number).title == "secret"


# Laws


def one_change(store, pick, word):
    numbers = [note.id for note in store.export().notes] or [1]
    one, two = numbers[pick % len(numbers)], numbers[(pick * 7 + 3) % len(numbers)]
    project = "pqz"[pick % 3]
    changes = (
        lambda: store.save(NoteDraft(word, f"{word} {pick % 5}", project=project, topic_key="t" if pick % 4 == 0 else "")),
        lambda: store.save(NoteDraft(word, word, project=project, scope="personal", session_id=f"s{pick % 4}")),
        lambda: store.update(one, Changes(content=f"{word} {pick}")),
        lambda: store.update(one, Changes(project=project, scope="global")),
        lambda: store.delete(one),
        lambda: store.restore(one),
        lambda: store.pin(one, pinned=bool(pick % 2)),
        lambda: store.relate(one, two, note=word, both=bool(pick % 2)),
        lambda: store.merge_projects([project], "pqz"[(pick + 1) % 3]),
        lambda: store.remove_project(project),
        lambda: store.compact([one, two], Query(until="2999"), title="Sum", content=word),
        lambda: store.add_prompt(word, project=project, session_id=f"s{pick % 4}"),
        lambda: store.put_progress(project, json.dumps(word)),
        lambda: store.end_session(f"s{pick % 4}", word),
        lambda: store.take_in(archive()),
        store.undo,
    )  # fmt: skip
    return changes[pick % len(changes)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(WORDS)), min_size=1, max_size=12))
def test_after_any_history_an_undo_of_the_last_batch_gives_back_the_rows_before_it(store, clock, history):
    for pick, word in history:
        clock.pass_(minutes=7)
        before, last = rows(store), store.log(1)
        with suppress(ModicumError):
            one_change(store, pick, word)()
    if store.log(1) == last:  # it was refused, or changed nothing
        assert rows(store) == before
        return
    after = rows(store)

    done = store.undo(store.log(1)[0].batch.id)
    assert rows(store) == before
    store.undo(done.number)
    assert rows(store) == after
    assert store.problems() == ()


# Killed, and two at once

KILLED = """
import os, signal, sys
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store
from modicum.memory.undo import run

def killed(self, row):
    if row.key == "150":
        os.kill(os.getpid(), signal.SIGKILL)
    remove(self, row)

remove, run.Restorer._remove = run.Restorer._remove, killed
Store(SqliteDatabase(sys.argv[1])).undo()
"""


def test_an_undo_that_is_killed_has_done_nothing(tmp_path):
    path = str(tmp_path / "memory.db")
    store = Store(SqliteDatabase(path))
    store.save_all([NoteDraft(f"{n}", f"walrus {n}", project="p") for n in range(200)])
    before, log = rows(store), store.log()
    store.close()

    killed = subprocess.run([sys.executable, "-c", KILLED, path], check=False, env=os.environ.copy())

    assert killed.returncode == -signal.SIGKILL
    store = Store(SqliteDatabase(path))
    assert (rows(store), store.log()) == (before, log)
    store.undo()
    assert store.stats().notes == 0
    store.close()


def test_two_undos_of_one_batch_at_once_take_it_back_once(store):
    store.save_all([NoteDraft(f"{n}", f"walrus {n}", project="p") for n in range(30)])
    number = store.log()[0].batch.id

    def undo(_):
        with suppress(Refused):
            return store.undo(number)

    with ThreadPoolExecutor(4) as pool:
        done = [each for each in pool.map(undo, range(4)) if each]

    assert len(done) == 1
    assert store.stats().notes == 0
    assert store.problems() == ()


# Whose notes


def team(store):
    """Mia has merged a project in which ben keeps notes of his own; with the number of her merge."""
    mia, ben = (store.seen_by(Person(name)) for name in ("mia", "ben"))
    ben.save(NoteDraft("zanzibar", "his alone", project="attic", scope="personal"))
    ben.save(NoteDraft("seal", "for all", project="attic"))
    moved = mia.merge_projects(["attic"], "shop")
    return mia, ben, mia.log()[0].batch.id, moved


@pytest.mark.parametrize("dry_run", [True, False])
def test_an_undo_names_and_counts_only_what_its_person_may_see(store, dry_run):
    mia, ben, number, moved = team(store)

    done = mia.undo(number, dry_run=dry_run)

    assert moved.notes == 1
    assert [note.title for note in done.notes] == ["seal"]
    assert done.counts["note"] == mia.log()[-1].counts["note"] == 1
    assert "zanzibar" not in repr((done, mia.log()))
    assert {each.project for each in ben.recent().items} == {"shop" if dry_run else "attic"}


def test_an_undo_reaches_what_others_have_only_if_that_is_asked_for(store):
    mia, ben, number, _ = team(store)

    with pytest.raises(Forbidden, match="changes what other people have: ben"):
        mia.undo(number, within=Reach("shop"))
    assert mia.undo(number, within=Reach("shop", everywhere=True)).owners == ("ben",)
    assert {each.project for each in ben.recent().items} == {"attic"}


def test_an_undo_does_not_cross_into_another_project(store):
    store.save(NoteDraft("here", "walrus", project="shop"))
    store.save(NoteDraft("there", "seal", project="attic"))

    with pytest.raises(Forbidden, match="reaches into attic"):
        store.undo(2, within=Reach("shop"))
    assert store.undo(within=Reach("shop")).batch.id == 1
    with pytest.raises(NotFound, match="nothing to undo in shop"):
        store.undo(within=Reach("shop"))
    assert [each.title for each in store.recent().items] == ["there"]
