"""Runs a sync from start to end: reads chunk files, sends local changes. All machines get the same notes.

What changed here is told by the marks that triggers leave, so that a sync costs as much as there is news. What is to
travel waits in an outbox that is written with the same transaction; only then is a chunk written, and a chunk that is
written twice is the same file. So it may be interrupted anywhere, and run twice at once.
"""

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from modicum.memory.model import Refused
from modicum.memory.origins import is_person
from modicum.memory.store import Store
from modicum.memory.sync import tables as tables
from modicum.memory.sync.chunks import (
    DAMAGED,
    MOST_BYTES,
    Chunk,
    Decoded,
    canonical_json,
    chunk_of,
    decode,
    is_machine,
    is_sound,
    machine_of,
    split_by_size,
)
from modicum.memory.sync.folder import ChunkFolder, FileMark
from modicum.memory.sync.model import Counts, OnProgress, Synced, Trouble
from modicum.memory.sync.settle import join_topic, settle, settle_marked, state_with_texts
from modicum.memory.sync.state import KINDS, NOTE, SyncState, combined, delta, merge, without_texts
from modicum.memory.sync.tables import SyncChoices, SyncTransaction
from modicum.memory.tables.sql import COUNT_CHANGE
from modicum.memory.times import latest_time, stamp

BATCH = 200
TOGETHER = 2_000  # states of several chunks that are taken in together, so that a note in many of them is settled once
UNREAD: FileMark = []  # of a chunk that was not read again since it was written or taken in


class SyncFolder(NamedTuple):
    """The folder of chunks for a run of sync, and the file with the chunks that it last saw there."""

    folder: ChunkFolder
    memo: Path


def _quiet(_: str, __: int, ___: int) -> None:
    pass


class Sync:
    """A sync of one project of a store with its folder of chunks, ready to run."""

    def __init__(
        self,
        store: Store,
        place: SyncFolder,
        project: str,
        *,
        choices: SyncChoices | None = None,
        on_progress: OnProgress = _quiet,
    ) -> None:
        if not project:
            raise Refused("sync needs a project", remedy="name the project")
        self.store, self.folder, self.memo = store, place.folder, place.memo
        self.home, self.on_progress = project, on_progress
        self.choices = (choices or SyncChoices())._replace(me=store.who.name)
        self.batch = store.batch("sync")
        with store.database.reading() as tx:
            self.machine = tables.machine_of_home(tx, self.home)
            self.trusted = tables.trusted_machines(tx, self.home)

    @contextmanager
    def _transaction(self) -> Iterator[SyncTransaction]:
        with self.store.database.writing() as tx, self.batch.within(tx):
            now = self.store.clock()
            latest = latest_time(now)
            yield SyncTransaction(tx, self.home, stamp(now), latest, self.choices, self.trusted)
            tx.run(COUNT_CHANGE)

    def run(self) -> Synced:
        """Runs the sync: reads all new chunks, then writes the local changes as chunks."""
        self.batch = self.store.batch("sync")
        with self.store.database.writing() as tx:
            tables.enrol(tx, self.home, self.choices)
            self.machine = tables.machine_of_home(tx, self.home)
        self.folder.tidy()
        self._remember_folder()
        came, troubles = self._take_in()
        troubles += self._damaged()
        self._absorb()
        self._put_back()
        went, unsent = self._hand_out()
        self._add_to_memo(self.folder.names())  # only adds: what has just gone is missed next time
        return Synced(came, went, (*troubles, *unsent), self.machine, self._unconfirmed())

    def _unconfirmed(self) -> tuple[str, ...]:
        """The machines that have written chunks in the folder, and that nobody here has confirmed."""
        found = {machine_of(name) for name in self.folder.names()}
        return tuple(sorted(found - self.trusted - {"", self.machine}))

    def _is_known(self, machine: str) -> bool:
        if machine in {machine_of(name) for name in self.folder.names()} - {""}:
            return True
        with self.store.database.reading() as tx:
            return is_machine(machine) and tables.has_spoken(tx, self.home, machine)

    def trust(self, machine: str, *, trusted: bool = True) -> None:
        """Confirms a machine, or no longer does: whether what it says of who said something is believed here.

        Refuses everybody but a person, and a machine that has written nothing here.
        """
        if not is_person(self.store.origin):
            raise Refused(
                "only a person confirms a machine", remedy="run it yourself in a terminal, without an agent"
            )
        if not self._is_known(machine):
            raise Refused(
                f'no machine "{machine[:40]}" has written here',
                remedy="the status of the sync names those that have",
            )
        with self.store.database.writing() as tx:
            tables.set_trust(tx, self.home, machine, trusted=trusted)
            self.trusted = tables.trusted_machines(tx, self.home)

    # In

    def _fresh(self) -> list[str]:
        with self.store.database.reading() as tx:
            known = tables.known_chunks(tx, self.home)
        return sorted(self.folder.names() - known)

    def _take_in(self) -> tuple[Counts, list[Trouble]]:
        fresh, taken, troubles, buried = self._fresh(), _Tally(), _strangers(self.folder), False
        states: list[SyncState] = []
        whole: list[str] = []
        for number, name in enumerate(fresh):
            self.on_progress("in", number, len(fresh))
            found = _open(self.folder, name)
            troubles += [Trouble(name, problem) for problem in found.problems]
            states += found.states
            whole += [] if found.problems else [name]
            taken.add(found.states)
            if len(states) >= TOGETHER or name == fresh[-1]:
                self._apply(combined(states), whole)
                buried = buried or any(state.dead for state in states)
                states, whole = [], []
        if buried:
            self.store.database.erase_traces()
        return taken.counts, troubles

    def _damaged(self, *, remember: bool = True) -> list[Trouble]:
        """Reads the chunks that are known here and whose files have changed since they were last found sound."""
        seen, fresh = self._seen(), {*self._fresh()}
        changed = {name: mark for name, mark in self.folder.marks().items() if (seen or {}).get(name) != mark}
        reasons = {name: _why_damaged(self.folder, name) for name in sorted(changed.keys() - fresh)}
        if remember:
            self._note_sound({name: changed[name] for name, reason in reasons.items() if not reason})
        return [Trouble(name, reason) for name, reason in reasons.items() if reason]

    def _apply(self, states: Sequence[SyncState], chunks: Sequence[str]) -> None:
        """Settles what chunks say; then they are known, those of which all could be read."""
        for batch in _batches(states):
            with self._transaction() as sync:
                for state in batch:
                    settle(sync, state.kind, state.key, state)
        for batch in _batches([state for state in states if state.kind == NOTE]):
            with (
                self._transaction() as sync
            ):  # when all are here: else one note would be settled again for each batch
                for state in batch:
                    join_topic(sync, state.key)
        with self.store.database.writing() as tx:
            for name in chunks:
                tables.add_chunk(tx, self.home, name)

    # Out

    def _absorb(self) -> None:
        with self.store.database.reading() as tx:
            ((total,),) = tx.rows(tables.COUNT_MARKED, {"home": self.home})
        marked, done = [("", "")], 0
        while marked:
            self.on_progress("out", min(done, total), total)
            with self._transaction() as sync:
                marked = tables.marked(sync.tx, self.home, BATCH, together=TOGETHER)
                settle_marked(sync, marked)
                for kind, key in marked:
                    if kind == NOTE:
                        join_topic(sync, key)
            done += len(marked)

    def _put_back(self) -> None:
        """Queues again what was in chunks that have gone from the folder, unless another chunk says it.

        Without a memo, any chunk may have gone, so that all that is known here is compared with the folder.
        """
        names, seen = self.folder.names(), self._seen()
        if seen is not None and seen.keys() <= names:
            return
        merged: dict[tuple[str, str], SyncState] = {}
        for name in sorted(names):
            for state in map(without_texts, _open(self.folder, name).states):
                merged[state[:2]] = merge(merged.get(state[:2], state), state)
        states = [SyncState("", "")]
        while states:
            with self._transaction() as sync:
                states = tables.states_after(sync.tx, self.home, states[-1][:2], BATCH)
                for state in states:
                    known = merged.get(state[:2], SyncState(*state[:2]))
                    if not delta(known, state).empty:
                        sync.send(delta(known, state_with_texts(sync, state))._replace(by=state.by))
        kept = {name: mark for name, mark in (seen or {}).items() if name in names}
        self._remember(
            {**dict.fromkeys(names, UNREAD), **kept}
        )  # only now: after a kill before this, the folder is compared again

    def _hand_out(self) -> tuple[Counts, list[Trouble]]:
        went = _Tally()
        troubles: list[Trouble] = []
        while True:
            with self.store.database.reading() as tx:
                queue = tables.queued(tx, self.home, 10 * BATCH)
            if not queue:
                return went.counts, troubles
            sizes = {number: len(record.encode()) for number, record in queue}
            large = [number for number, size in sizes.items() if size > MOST_BYTES // 2]
            troubles += [
                Trouble(json.loads(dict(queue)[n])["key"], "it is too large to be shared") for n in large
            ]
            lines = [record for number, record in queue if number not in large]
            for portion in split_by_size(lines):
                went.add(self._write(chunk_of(portion, self.machine)))
            with self.store.database.writing() as tx:
                tables.unqueue(tx, [number for number, _ in queue])

    def _write(self, chunk: Chunk) -> tuple[SyncState, ...]:
        self._add_to_memo({chunk.name})  # first: after a kill, a chunk that is lost is missed
        self.folder.write(chunk)
        marks = self.folder.marks()
        self._note_sound({chunk.name: marks.get(chunk.name, UNREAD)})
        with self.store.database.writing() as tx:
            tables.add_chunk(tx, self.home, chunk.name)
        return decode(chunk).states

    # What this machine saw last

    def _remember_folder(self) -> None:
        """Adds the chunks in the folder to the memo, which the first sync of a project begins."""
        with self.store.database.reading() as tx:
            agreed = tables.states_after(tx, self.home, ("", ""), 1)
        if agreed:
            self._add_to_memo(self.folder.names())
        else:
            self._remember(dict.fromkeys(self.folder.names(), UNREAD))

    def _add_to_memo(self, names: Set[str]) -> None:
        """Adds names to the memo. One that was lost is not begun again here: it would hide which chunks are missing."""
        seen = self._seen()
        if seen is not None:
            self._remember({**dict.fromkeys(names, UNREAD), **seen})

    def _note_sound(self, marks: Mapping[str, FileMark]) -> None:
        """Notes the files of sound chunks in the memo, if there is one: without it, the folder is compared as a whole first."""
        seen = self._seen()
        if marks and seen is not None:
            self._remember({**seen, **marks})

    def _seen(self) -> dict[str, FileMark] | None:
        """The chunks in the memo, each with the mark of its file when it was found sound; None if there is no memo that can be read."""
        try:
            return msgspec.json.decode(self.memo.read_bytes(), type=dict[str, FileMark])
        except (OSError, msgspec.MsgspecError, RecursionError):
            return None

    def _remember(self, chunks: Mapping[str, FileMark]) -> None:
        text = canonical_json(chunks)
        with suppress(OSError):  # it only saves time
            if self.memo.exists() and self.memo.read_bytes() == text.encode():
                return
            self.memo.parent.mkdir(parents=True, exist_ok=True)
            self.memo.write_bytes(text.encode())

    # Without doing anything

    def status(self) -> Synced:
        """Returns how much a run of sync would bring in and send; changes nothing."""
        came, troubles = _Tally(), _strangers(self.folder)
        for name in self._fresh():
            found = _open(self.folder, name)
            troubles += [Trouble(name, problem) for problem in found.problems]
            came.add(found.states)
        troubles += self._damaged(remember=False)
        return Synced(came.counts, self._pending(), tuple(troubles), self.machine, self._unconfirmed())

    def _pending(self) -> Counts:
        """How much would be sent: a sync is done, counted, and rolled back."""
        sent: set[tuple[str, str]] = set()
        with suppress(_Undo), self._transaction() as sync:
            tables.enrol(sync.tx, self.home, self.choices)
            while marked := tables.marked(sync.tx, self.home, BATCH, together=TOGETHER):
                settle_marked(sync, marked)
            sent |= set(sync.tx.rows(tables.COUNT_QUEUED, {"home": self.home}))
            raise _Undo
        return _counted(sent)


class _Undo(Exception):  # noqa: N818 - says what it does
    """Rolls a transaction back."""


def check(folder: ChunkFolder) -> Synced:
    """Runs a check of a sync folder without a store: reads every chunk; returns counts and troubles."""
    found, troubles = _Tally(), _strangers(folder)
    for name in sorted(folder.names()):
        opened = _open(folder, name)
        troubles += [Trouble(name, problem) for problem in opened.problems]
        found.add(opened.states)
    return Synced(came=found.counts, troubles=tuple(troubles))


def _open(folder: ChunkFolder, name: str) -> Decoded:
    chunk = folder.read(name)
    return decode(chunk) if isinstance(chunk, Chunk) else Decoded(problems=(chunk,))


def _why_damaged(folder: ChunkFolder, name: str) -> str:
    chunk = folder.read(name)
    return ("" if is_sound(chunk) else DAMAGED) if isinstance(chunk, Chunk) else chunk


def _strangers(folder: ChunkFolder) -> list[Trouble]:
    return [Trouble(name, reason) for name, reason in folder.strangers()]


class _Tally:
    """Counts the notes, sessions, prompts and relations in chunks, each once."""

    def __init__(self) -> None:
        self.chunks, self.things = 0, set[tuple[str, str]]()

    def add(self, states: Sequence[SyncState]) -> None:
        self.chunks += bool(states)
        self.things |= {(state.kind, state.key) for state in states}

    @property
    def counts(self) -> Counts:
        return _counted(self.things)._replace(chunks=self.chunks)


def _counted(things: Set[tuple[str, str]]) -> Counts:
    kinds = [kind for kind, _ in things]
    session, note, prompt, edge = (kinds.count(kind) for kind in KINDS)
    return Counts(0, note, session, prompt, edge)


def _batches(states: Sequence[SyncState]) -> Iterator[Sequence[SyncState]]:
    for start in range(0, len(states), BATCH):
        yield states[start : start + BATCH]
