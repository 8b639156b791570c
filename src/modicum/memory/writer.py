"""The writer of memory: how one person changes it, one transaction for each change, and the inbox."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from modicum.memory.engines.database import Transaction
from modicum.memory.model import Changes, Note, NoteDraft, ProjectMove, Saved, SaveOutcome
from modicum.memory.reader import Reader
from modicum.memory.tables import audit, lists, notes
from modicum.memory.tables.audit import AuditAction, of_note
from modicum.memory.tables.batches import BatchWriter
from modicum.memory.tables.sql import COUNT_CHANGE
from modicum.memory.undo.model import FOR_GOOD, Batch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from modicum.memory.projects.keys import FolderKeys
    from modicum.memory.projects.rows import AskRoot, Look

NO_CHANGES = Changes()
ACTIONS = {
    SaveOutcome.CREATED: "saved",
    SaveOutcome.UPDATED: "changed",
    SaveOutcome.DUPLICATE: "saved again",
    SaveOutcome.INBOX: "put into the inbox",
}


class Writer(Reader):
    """The writer of the store of memory: opens the transactions of one person's changes, records them, and keeps the inbox."""

    joined: BatchWriter | None = None  # the batch of all that is written; None: each change is one of its own

    def in_one_batch(self, kind: str) -> "Self":
        """Returns the same writer of the store, with everything that it will change in one batch, which one undo takes back."""
        other = self.seen_by(self.who)
        other.joined = self.batch(kind)
        return other

    @property
    def joined_number(self) -> int:
        """Returns the number of the batch of the store's writer from `in_one_batch`; 0 if nothing was changed."""
        return self.joined.number if self.joined else 0

    def batch(self, kind: str, undoes: int = 0) -> BatchWriter:
        """Returns a new batch of the store's writer: the change of one kind that all its transactions belong to."""
        return BatchWriter(Batch(0, "", self.who.name, self.source, kind, undoes), self.clock())

    @contextmanager
    def _writing(self, kind: str | BatchWriter, *names: str) -> Iterator[Transaction]:
        """Opens a transaction that sees what this person may see, as a batch of a kind or a part of one.

        Each write goes through `unlimited`, after its check.
        """
        if self.who.read_only:
            self.who.check("")
        batch = self._batch_of(kind) if isinstance(kind, str) else kind
        with self.database.writing(*names, person=self.who) as tx:
            with batch.within(tx.unlimited):
                yield tx
            tx.unlimited.run(COUNT_CHANGE)  # last: from here on every other writer waits for this row

    def _batch_of(self, kind: str) -> BatchWriter:
        # What is deleted for good cannot come back, so it may not share a batch with what can.
        return self.joined if self.joined and kind != FOR_GOOD else self.batch(kind)

    def _record(self, tx: Transaction, *actions: AuditAction) -> None:
        audit.record(tx.unlimited, self.who, self._now(), *actions)

    def _touch(self, tx: Transaction, number: int, action: str) -> bool:
        """Records a change to a note and returns True; returns False if this person sees no such note.

        Refuses a note that they may see and not change.
        """
        note = lists.get(tx, number, deleted=True) if self.who.is_limited else None
        if note:
            self.who.check(note.project, note.scope)
            self._record(tx, of_note(action, note))
        return note is not None or not self.who.is_limited

    def _entry(self, draft: NoteDraft) -> notes.NoteRow:
        entry = notes.prepare(draft, owner=self.who.name, origin=self.origin)
        self.who.check(entry.note.project, entry.note.scope)
        return entry

    def enter_project(self, seen: "Look") -> str:
        """Writes the keys of a folder into the store, for the project that they found or a new one; returns its id."""
        from modicum.memory.projects.rows import LOCK, enter, look

        if self.who.read_only:
            self.who.check("")
        with self.database.writing(LOCK) as tx:
            # Another process may have written the same down since.
            now = look(tx.rows, seen.keys, self.who.name, lambda: "") if not seen.id else seen
            return enter(tx, now)

    def join_project(self, seen: "Look", project: str) -> ProjectMove:
        """Gives a project of the store the keys of a folder, and what its own project has; returns how much was moved."""
        from modicum.memory.projects.rows import join
        from modicum.memory.tables.projects import merge

        with self._writing("join") as tx:
            for name in filter(None, (seen.id, project)):
                self.who.check(name)
                self._record(tx, audit.AuditAction("joined", audit.PROJECT, name, name))
            moved = merge(tx.unlimited, [seen.id], project)
            join(tx.unlimited, seen.keys, project)
            return moved

    def project_of_session(self, keys: "FolderKeys", ask_root: "AskRoot", *, writing: bool = False) -> str:
        """Returns the project of the store for the folder that a session works in; a new one with `writing`.

        A name that several projects have stands for none of them.
        """
        from modicum.memory.projects.rows import look, named, only_one

        if keys.named:
            return only_one(named(self.database.ask, keys.named), keys.named)
        seen = look(self.database.ask, keys, self.who.name, ask_root, whole=False)
        if writing and (seen.new or not seen.id):
            return self.enter_project(seen)
        return seen.id or self.free_project(keys)

    def save_waiting(
        self, draft: NoteDraft, reason: str, *, said_by: int = 0, known_session: bool = False
    ) -> Saved:
        """Saves a draft in the store's inbox, where nothing reads it until somebody accepts it."""
        from modicum.memory.tables import inbox

        entry = self._entry(draft)
        with self._writing("save", *names_of([entry])) as tx:
            saved = inbox.save(
                tx.unlimited, entry, reason, said_by, now=self._now(), known_session=known_session
            )
            self._record(tx, of_note(ACTIONS[saved.outcome], entry.note._replace(id=saved.id)))
        return saved

    def accept(self, numbers: Sequence[int], changes: Changes = NO_CHANGES) -> tuple[Note, ...]:
        """Accepts notes from the store's inbox in the writer's name, all or none, and returns them, changed if asked for."""
        with self._writing("accept") as tx:
            found = tuple(self._accepted(tx, number) for number in numbers)
            if changes == NO_CHANGES:
                return found
            return tuple(
                notes.update(tx.unlimited, note.id, changes, now=self._now(), origin=self.origin)
                for note in found
            )

    def _accepted(self, tx: Transaction, number: int) -> Note:
        from modicum.memory.tables import inbox

        inbox.require(tx, number)
        self._touch(tx, number, "accepted")
        return notes.restore(tx.unlimited, number, now=self._now())

    def drop(self, numbers: Sequence[int]) -> None:
        """Drops notes from the store's inbox in the writer's name, all or none; they stay deleted, and can be restored."""
        from modicum.memory.tables import inbox

        with self._writing("drop") as tx:
            for number in numbers:
                inbox.require(tx, number)
                self._touch(tx, number, "dropped")
                tx.unlimited.run(notes.STOP_WAITING, {"id": number})


def names_of(entries: Sequence[notes.NoteRow]) -> set[str]:
    """Returns the names that the store's writer holds for a save: two at once must not seek the same note, or take one place in a session."""
    kept = [entry.note for entry in entries]
    return {f"project {each.project}" for each in kept} | {f"session {each.session_id}" for each in kept}
