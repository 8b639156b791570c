"""What was shared is taken back for everybody: an undo is a change that is newer than what it takes back."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from modicum.memory.model import Changes, NoteDraft
from modicum.memory.store import Store
from modicum.memory.sync.chunks import machine_of
from modicum.memory.sync.folder import ChunkFolder
from modicum.memory.sync.run import Sync, SyncFolder
from modicum.memory.sync.tables import SyncChoices


@dataclass
class Machine:
    """A store that shares the notes of one project through a folder."""

    store: Store
    folder: Path
    memo: Path
    project: str = "shop"
    trusts: bool = True

    def sync(self, **choices):
        place = SyncFolder(ChunkFolder(self.folder), self.memo)
        sync = Sync(self.store, place, self.project, choices=SyncChoices(**choices))
        sync.trusted = frozenset(map(machine_of, place.folder.names())) if self.trusts else frozenset()
        return sync.run()


@pytest.fixture
def machines(make_store, tmp_path, clock):
    """Two machines whose clock goes on by itself, on one folder of chunks."""

    def ticking():
        clock.pass_(seconds=0.01)
        return clock.seconds

    made = []
    for name in ("first", "second"):
        store = make_store(name).with_origin("person")
        store.clock = ticking
        made.append(Machine(store, tmp_path / "chunks", tmp_path / f"{name}.json"))
    return made


def told(machine):
    """What a reader of the notes sees."""
    return sorted(
        (n.sync_id, n.title, n.content, n.pinned, n.deleted_at != "") for n in machine.store.export().notes
    )


def both(here, there):
    for machine in (here, there, here):
        machine.sync()
    assert told(here) == told(there)
    assert here.store.problems() == there.store.problems() == ()


CHANGES = {
    "save": lambda s: s.save(NoteDraft("New", "a heron", project="shop")),
    "update": lambda s: s.update(1, Changes(title="Otter", content="an otter instead")),
    "delete": lambda s: s.delete(1),
    "pin": lambda s: s.pin(1),
    "compact": lambda s: s.delete_all([1, 2]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_undo_of_a_synced_change_reaches_the_others(machines, name):
    here, there = machines
    here.store.save_all([NoteDraft(word, f"a {word}", project="shop") for word in ("walrus", "seal")])
    both(here, there)
    before = told(here)
    CHANGES[name](here.store)
    both(here, there)
    after = told(here)
    assert after != before

    done = here.store.undo()
    both(here, there)
    live = [each for each in told(there) if not each[-1]]
    assert live == [each for each in before if not each[-1]]
    here.store.undo(done.number)
    both(here, there)
    assert [each for each in told(there) if not each[-1]] == [each for each in after if not each[-1]]


def test_the_wordings_of_a_shared_note_stay_in_its_history(machines):
    here, there = machines
    here.store.save(NoteDraft("a", "walrus", project="shop"))
    both(here, there)
    here.store.update(1, Changes(content="seal"))
    both(here, there)

    here.store.undo()
    both(here, there)

    wordings = [[each.content for each in m.store.history(1)] for m in machines]
    assert wordings == [["walrus", "seal", "walrus"]] * 2


def test_a_sync_is_one_batch_that_can_be_undone(machines):
    here, there = machines
    here.store.save_all([NoteDraft(f"{n}", f"walrus {n}", project="shop") for n in range(250)])
    here.sync()
    there.sync()

    ((batch, counts, *_),) = there.store.log()
    assert (batch.kind, counts) == ("sync", {"note": 250, "session": 1})
    there.store.undo()
    assert there.store.stats().notes == 0
    both(here, there)
    assert here.store.stats().notes == 0
    there.store.undo(there.store.log()[0].batch.id)
    both(here, there)
    assert here.store.stats().notes == 250


def test_a_sync_that_brings_nothing_is_no_batch(machines):
    here, _ = machines
    here.store.save(NoteDraft("a", "walrus", project="shop"))
    here.sync()
    here.sync()

    assert [each.batch.kind for each in here.store.log()] == ["save"]


def test_what_others_deleted_for_good_is_gone_from_the_batches_here(machines):
    here, there = machines
    here.store.save(NoteDraft("a", "zanzibar", project="shop"))
    both(here, there)
    there.store.update(1, Changes(content="quixotic"))
    both(here, there)
    here.store.delete(1, hard=True)
    both(here, there)

    kept = there.store.database.ask(
        "SELECT before, content FROM batch_rows WHERE kind IN ('note', 'revision')"
    )
    assert {value for row in kept for value in row} <= {None, ""}


def test_a_project_that_was_renamed_is_shared_as_before_after_an_undo(machines):
    here, there = machines
    here.store.save(NoteDraft("a", "walrus", project="shop"))
    both(here, there)
    here.store.rename_project("shop", "store")
    here.store.undo()
    there.store.update(1, Changes(content="seal"))
    both(here, there)

    assert here.store.get(1).content == "seal"
    assert here.store.get(1).project == "shop"


def test_a_prompt_that_others_hold_for_deleted_comes_back_as_another_one(machines):
    here, there = machines
    here.store.add_prompt("why?", project="shop")
    for machine in (here, there):
        machine.sync(prompts=True)
    done = here.store.undo()
    here.sync(prompts=True)
    there.sync(prompts=True)
    assert there.store.prompts().items == ()

    here.store.undo(done.number)
    here.sync(prompts=True)
    there.sync(prompts=True)
    assert [each.content for each in there.store.prompts().items] == ["why?"]
