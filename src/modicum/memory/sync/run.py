"""Notes through git: chunks in, chunks out, and every machine ends with the same notes.

What changed here is told by the marks that triggers leave, so that a sync costs as much as there is news. What is to
travel waits in an outbox that is written with the same transaction; only then is a chunk written, and a chunk that is
written twice is the same file. So it may be interrupted anywhere, and run twice at once.
"""

import json
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from modicum.memory.model import Refused
from modicum.memory.store import Store
from modicum.memory.sync import tables as tables
from modicum.memory.sync.chunks import MOST_BYTES, Chunk, Decoded, chunk_of, decode, portions, spell
from modicum.memory.sync.folder import ChunkFolder
from modicum.memory.sync.settle import settle, unify, whole
from modicum.memory.sync.state import KINDS, NOTE, SyncState, bare, delta, merge
from modicum.memory.sync.tables import SyncChoices, SyncTransaction
from modicum.memory.tables.sql import COUNT_CHANGE
from modicum.memory.times import stamp

BATCH = 200

Tell = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


class Trouble(NamedTuple):
    """A chunk that could not be taken over, or not all of it, and why."""

    chunk: str
    reason: str


class Counts(NamedTuple):
    """How many chunks, and what is in them."""

    chunks: int = 0
    notes: int = 0
    sessions: int = 0
    prompts: int = 0
    relations: int = 0


class Synced(NamedTuple):
    """What came, what went, and what is wrong."""

    came: Counts = Counts()
    went: Counts = Counts()
    troubles: tuple[Trouble, ...] = ()


class SyncFolder(NamedTuple):
    """A project's folder of chunks, and where this machine remembers what it last saw there."""

    folder: ChunkFolder
    memo: Path


def _quiet(_: str, __: int, ___: int) -> None:
    pass


class Sync:
    """One project of a store, and its folder."""

    def __init__(
        self,
        store: Store,
        place: SyncFolder,
        project: str,
        *,
        wishes: SyncChoices | None = None,
        tell: Tell = _quiet,
    ) -> None:
        if not project:
            raise Refused("sync needs a project", remedy="name the project")
        self.store, self.folder, self.memo = store, place.folder, place.memo
        self.home, self.tell = project, tell
        self.wishes = (wishes or SyncChoices())._replace(me=store.who.name)

    @contextmanager
    def _desk(self) -> Iterator[SyncTransaction]:
        with self.store.database.writing() as tx:
            yield SyncTransaction(tx, self.home, stamp(self.store.clock()), self.wishes)
            tx.run(COUNT_CHANGE)

    def run(self) -> Synced:
        """Everything in, then everything out."""
        with self.store.database.writing() as tx:
            tables.enrol(tx, self.home, self.wishes)
        self.folder.tidy()
        came, troubles = self._take_in()
        self._absorb()
        self._put_back()
        went, unsent = self._hand_out()
        self._remember()
        return Synced(came, went, (*troubles, *unsent))

    # In

    def _fresh(self) -> list[str]:
        with self.store.database.reading() as tx:
            known = tables.known_chunks(tx, self.home)
        return sorted(self.folder.names() - known)

    def _take_in(self) -> tuple[Counts, list[Trouble]]:
        fresh, taken, troubles = self._fresh(), _Tally(), _strangers(self.folder)
        for number, name in enumerate(fresh):
            self.tell("in", number, len(fresh))
            found = _open(self.folder, name)
            troubles += [Trouble(name, problem) for problem in found.problems]
            self._apply(found.states)
            if not found.problems:
                with self.store.database.writing() as tx:
                    tables.add_chunk(tx, self.home, name)
            taken.add(found.states)
        return taken.counts, troubles

    def _apply(self, states: Sequence[SyncState]) -> None:
        for batch in _batches(states):
            with self._desk() as desk:
                for state in batch:
                    settle(desk, state.kind, state.key, state)
                for state in batch:
                    if state.kind == NOTE:
                        unify(desk, state.key)

    # Out

    def _absorb(self) -> None:
        with self.store.database.reading() as tx:
            ((total,),) = tx.rows(tables.COUNT_MARKED, {"home": self.home})
        marked, done = [("", "")], 0
        while marked:
            self.tell("out", min(done, total), total)
            with self._desk() as desk:
                marked = tables.marked(desk.tx, self.home, BATCH)
                for kind, key in marked:
                    settle(desk, kind, key)
                for kind, key in marked:
                    if kind == NOTE:
                        unify(desk, key)
            done += len(marked)

    def _put_back(self) -> None:
        """If chunks have gone from the folder, whatever no other chunk says is told again."""
        names = self.folder.names()
        if not self._seen() - names:
            return
        told: dict[tuple[str, str], SyncState] = {}
        for name in sorted(names):
            for state in map(bare, _open(self.folder, name).states):
                told[state[:2]] = merge(told.get(state[:2], state), state)
        states = [SyncState("", "")]
        while states:
            with self._desk() as desk:
                states = tables.states_after(desk.tx, self.home, states[-1][:2], BATCH)
                for state in states:
                    known = told.get(state[:2], SyncState(*state[:2]))
                    if not delta(known, state).empty:
                        desk.send(delta(known, whole(desk, state)))

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
            for portion in portions(lines):
                went.add(self._write(chunk_of(portion)))
            with self.store.database.writing() as tx:
                tables.unqueue(tx, [number for number, _ in queue])

    def _write(self, chunk: Chunk) -> tuple[SyncState, ...]:
        self.folder.write(chunk)
        with self.store.database.writing() as tx:
            tables.add_chunk(tx, self.home, chunk.name)
        return decode(chunk).states

    # What this machine saw last

    def _seen(self) -> set[str]:
        try:
            return set(json.loads(self.memo.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            with self.store.database.reading() as tx:
                return tables.known_chunks(tx, self.home)

    def _remember(self) -> None:
        with suppress(OSError):  # it only saves time
            self.memo.parent.mkdir(parents=True, exist_ok=True)
            self.memo.write_text(spell(sorted(self.folder.names())), encoding="utf-8")

    # Without doing anything

    def status(self) -> Synced:
        """What a sync would bring and send."""
        came, troubles = _Tally(), _strangers(self.folder)
        for name in self._fresh():
            found = _open(self.folder, name)
            troubles += [Trouble(name, problem) for problem in found.problems]
            came.add(found.states)
        return Synced(came.counts, self._pending(), tuple(troubles))

    def _pending(self) -> Counts:
        """What would be sent: done, looked at, and taken back."""
        sent: set[tuple[str, str]] = set()
        with suppress(_Undo), self._desk() as desk:
            tables.enrol(desk.tx, self.home, self.wishes)
            while marked := tables.marked(desk.tx, self.home, BATCH):
                for kind, key in marked:
                    settle(desk, kind, key)
            sent |= set(desk.tx.rows(tables.COUNT_QUEUED, {"home": self.home}))
            raise _Undo
        return _counted(sent)


class _Undo(Exception):  # noqa: N818 - says what it does
    """Takes a transaction back."""


def check(folder: ChunkFolder) -> Synced:
    """Every chunk, read from end to end without any memory."""
    found, troubles = _Tally(), _strangers(folder)
    for name in sorted(folder.names()):
        opened = _open(folder, name)
        troubles += [Trouble(name, problem) for problem in opened.problems]
        found.add(opened.states)
    return Synced(came=found.counts, troubles=tuple(troubles))


def _open(folder: ChunkFolder, name: str) -> Decoded:
    chunk = folder.read(name)
    return decode(chunk) if isinstance(chunk, Chunk) else Decoded(problems=(chunk,))


def _strangers(folder: ChunkFolder) -> list[Trouble]:
    return [Trouble(name, reason) for name, reason in folder.strangers()]


class _Tally:
    """How many things chunks speak of: one of which several speak is one thing."""

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
