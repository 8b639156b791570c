"""The store of memory: one person reads and changes it there. It never formats text."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial

from modicum.base.errors import Remedy
from modicum.memory.engines.database import Transaction
from modicum.memory.gate import alikes
from modicum.memory.model import (
    COMPACTION_SUMMARY,
    PASSIVE,
    RELATES_TO,
    Archive,
    Captured,
    Changes,
    Compacted,
    Forbidden,
    Imported,
    Note,
    NoteDraft,
    NotFound,
    Progress,
    ProjectMove,
    Prompt,
    Query,
    Refused,
    Relation,
    Saved,
    SaveOutcome,
    Session,
)
from modicum.memory.names import default_session, project_name
from modicum.memory.origins import IMPORT, rights_of
from modicum.memory.tables import audit, batches, lists, notes, sessions
from modicum.memory.tables.audit import AuditAction, of_note
from modicum.memory.times import latest_time, stamp
from modicum.memory.undo.model import EVERYWHERE, FOR_GOOD, Reach, UndoneBatch
from modicum.memory.writer import ACTIONS, Writer, names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.memory.tables.rescue import Lost, Rescued


class Store(Writer):
    """The store of memory, which one person reads and changes; each change is whole or not at all."""

    def save(self, draft: NoteDraft, *, known_session: bool = False) -> Saved:
        """Saves a draft in the store of memory as a note; makes a missing session, or refuses with `known_session`."""
        return self.save_all([draft], known_session=known_session)[0]

    def save_all(self, drafts: Sequence[NoteDraft], *, known_session: bool = False) -> tuple[Saved, ...]:
        """Saves several drafts in the store as notes, all or none."""
        entries = [self._entry(draft) for draft in drafts]
        now, window = self._now(), self._window()
        with self._writing("save", *names_of(entries)) as tx:
            saved = []
            for entry in entries:
                done = notes.save(tx.unlimited, entry, now=now, window=window, known_session=known_session)
                kept = entry._replace(note=entry.note._replace(id=done.id))
                saved.append(self._linked(tx, kept, done, now))
                self._record(tx, of_note(ACTIONS[done.outcome], kept.note))
        return tuple(saved)

    def _linked(self, tx: Transaction, entry: notes.NoteRow, saved: Saved, now: str) -> Saved:
        """Links a new note to one that it replaces or restates."""
        if saved.outcome is not SaveOutcome.CREATED:
            return saved
        edge = alikes.link(tx, entry.note, entry.keys, now=now)
        return saved._replace(linked=edge.to_id, relation=edge.type) if edge else saved

    def repeats(self, draft: NoteDraft) -> bool:
        """Returns True if a note of the store says the same word for word, so that saving the draft only counts it."""
        entry = self._entry(draft)
        with self.reading() as tx:
            return bool(notes.repeated(tx, entry, window=self._window()))

    def _window(self) -> str:
        return stamp(self.clock() - self.dedupe_seconds)

    def capture(
        self, text: str, *, project: str = "", session_id: str = "", source: str = "", namespace: str = "",
        known_session: bool = False, title_of: Callable[[str], str] = notes.headline,
    ) -> Captured:  # fmt: skip
        """Saves the learnings that a text lists in the store, unless the project has them already."""
        from modicum.memory.learnings import learnings

        common = NoteDraft("", "", PASSIVE, project, session_id, namespace=namespace, tool_name=source)
        drafts = [common._replace(title=title_of(item), content=item) for item in learnings(text)]
        entries, now, name = [self._entry(draft) for draft in drafts], self._now(), project_name(project)
        self.who.check(name)
        if not entries:
            return Captured(0, (), 0)
        key = session_id or default_session(name)
        with self._writing("capture", f"project {name}", f"session {key}") as tx:
            every = tx.unlimited
            sessions.ensure_session(every, key, name, namespace, now=now, known=known_session)
            kept = [notes.capture(every, entry, now=now, known_session=known_session) for entry in entries]
            saved = tuple(number for number in kept if number is not None)
            self._record(tx, *(AuditAction("saved", audit.NOTE, str(number), name) for number in saved))
        return Captured(len(entries), saved, len(entries) - len(saved))

    def update(self, number: int, changes: Changes) -> Note:
        if self.who.is_limited and (note := self.get(number)):
            self.who.check_move(note, changes)
        with self._writing("update", *notes.locks_of(number, changes)) as tx:
            if not self._touch(tx, number, "changed"):
                notes.require(tx, number)
            return notes.update(
                tx.unlimited, number, changes, now=self._now(), owner=self.who.name, origin=self.origin
            )

    def delete(self, number: int, *, hard: bool = False) -> bool:
        """Deletes a note from the store; returns False if there is none. `hard` deletes for good."""
        try:
            self.delete_all([number], hard=hard)
        except NotFound:
            return False
        return True

    def delete_all(self, numbers: Sequence[int], *, hard: bool = False) -> tuple[Note, ...]:
        """Deletes notes from the store, all or none, and returns them; `hard` deletes for good."""
        with self._writing(FOR_GOOD if hard else "delete") as tx:
            gone = tuple(self._delete(tx, number, hard=hard) for number in dict.fromkeys(numbers))
        if hard:
            self.database.erase_traces()
        return gone

    def _delete(self, tx: Transaction, number: int, *, hard: bool) -> Note:
        note = lists.get(tx, number, deleted=True)
        if note:
            self.who.check(note.project, note.scope)
        if note is None or not notes.delete(tx.unlimited, number, hard=hard, now=self._now()):
            name = note.public_id if note else f"#{number}"
            raise NotFound(f"there is no note {name}", remedy=Remedy("note.find"))
        self._record(tx, of_note("deleted for good" if hard else "deleted", note))
        return note

    def restore(self, number: int) -> Note:
        with self._writing("restore") as tx:
            if not self._touch(tx, number, "restored"):
                notes.require(tx, number)
            return notes.restore(tx.unlimited, number, now=self._now())

    def pin(self, number: int, *, pinned: bool = True) -> None:
        from modicum.memory.tables import pins

        with self._writing("pin" if pinned else "unpin", notes.lock_of(number)) as tx:
            if not self._touch(tx, number, "pinned" if pinned else "unpinned"):
                notes.require(tx, number)
            pins.pin(tx.unlimited, number, pinned=pinned, origin=self.origin)

    def start_session(
        self, key: str, *, project: str = "", directory: str = "", namespace: str = ""
    ) -> Session:
        """Starts a session in the store, or fills the gaps of the known one; returns it.

        Refuses the session of a project that the person may not see.
        """
        session = sessions.session_of(key, project, directory, namespace, now=self._now())
        self.who.check(session.project)
        with self._writing("session start", f"project {session.project}", f"session {key}") as tx:
            self._record(tx, AuditAction("started", audit.SESSION, key, session.project))
            started = sessions.start(tx.unlimited, session)
            if self.who.seen_projects and started.project not in self.who.seen_projects:
                raise Refused(f'session "{key}" belongs to another project', remedy="give another id")
            return started

    def end_session(self, key: str, summary: str = "", *, keep_blanks: bool = False) -> Session | None:
        """Ends a session in the store and returns it; returns None if there is none.

        `keep_blanks` keeps the blanks around the summary.
        """
        from modicum.memory.redact import redact, redact_inside

        clean = (redact_inside if keep_blanks else redact)(summary)
        with self._writing("session end") as tx:
            if not self._touch_session(tx, key, "ended"):
                return None
            return sessions.end(tx.unlimited, key, clean, now=self._now(), origin=self.origin)

    def _touch_session(self, tx: Transaction, key: str, action: str) -> bool:
        found = sessions.get(tx, key) if self.who.is_limited else None
        if found:
            self.who.check(found.project)
            self._record(tx, AuditAction(action, audit.SESSION, key, found.project))
        return found is not None or not self.who.is_limited

    def delete_session(self, key: str) -> bool:
        """Deletes a session from the store; returns False if there is none. Refuses a non-empty one."""
        with self._writing(FOR_GOOD) as tx:
            done = self._touch_session(tx, key, "deleted") and sessions.remove(tx.unlimited, key)
        if done:
            self.database.erase_traces()
        return done

    def add_prompt(
        self, content: str, *, session_id: str = "", project: str = "", namespace: str = "",
        known_session: bool = False,
    ) -> Prompt:  # fmt: skip
        from modicum.memory.redact import redact_inside

        clean, name, now = redact_inside(content), project_name(project), self._now()
        if not clean.strip():
            raise Refused("there is nothing to save: the prompt is empty", remedy="give its text")
        self.who.check(name)
        key = session_id or default_session(name)
        prompt = Prompt(0, notes.mint("prompt"), key, clean, name, namespace.strip(), now, self.who.name)
        with self._writing("prompt", f"project {name}", f"session {key}") as tx:
            added = sessions.add_prompt(tx.unlimited, prompt, known_session=known_session)
            self._record(tx, AuditAction("saved", audit.PROMPT, str(added.id), name, self.who.name))
            return added

    def prompt(self, number: int) -> Prompt | None:
        with self.reading() as tx:
            return sessions.get_prompt(tx, number)

    def delete_prompt(self, number: int) -> bool:
        with self._writing(FOR_GOOD) as tx:
            found = tx.rows(sessions.GET_PROMPT, {"id": number})
            if found:
                prompt = Prompt(*found[0])
                self.who.check(prompt.project)
                self._record(
                    tx, AuditAction("deleted", audit.PROMPT, str(number), prompt.project, prompt.owner)
                )
            done = bool(found) and sessions.remove_prompt(tx.unlimited, number)
        if done:
            self.database.erase_traces()
        return done

    def relate(
        self, from_id: int, to_id: int, kind: str = RELATES_TO, *, note: str = "", both: bool = False
    ) -> tuple[Relation, ...]:
        """Adds a relation to the store, or one in each direction; returns the added ones."""
        from modicum.memory.redact import redact
        from modicum.memory.tables.relations import relate

        forth = Relation(0, from_id, to_id, kind.strip() or RELATES_TO, redact(note), self._now())
        back = forth._replace(from_id=to_id, to_id=from_id)
        with self._writing("relate") as tx:
            for number in dict.fromkeys((from_id, to_id)):
                if not self._touch(tx, number, "related"):
                    notes.require(tx, number)
            return tuple(relate(tx.unlimited, edge) for edge in ((forth, back) if both else (forth,)))

    def unrelate(self, *numbers: int) -> None:
        """Removes relations from the store, all or none; refuses if there is none with an id."""
        from modicum.memory.tables.relations import GET, unrelate

        with self._writing("unrelate") as tx:
            for number in numbers:
                seen = tx.rows(GET, {"id": number})
                for (note,) in seen if self.who.is_limited else ():
                    self._touch(tx, note, "unrelated")
                unrelate(tx.unlimited, number if seen else 0)

    def merge_projects(self, sources: Sequence[str], target: str) -> ProjectMove:
        from modicum.memory.tables.projects import held_in, merge

        with self._writing("merge") as tx:
            self._touch_projects(tx, "merged", *sources, target)
            seen = held_in(tx, sources, target)
            moved = merge(tx.unlimited, sources, target)
            return seen if self.who.is_limited else moved

    def _touch_projects(self, tx: Transaction, action: str, *names: str) -> None:
        for name in map(project_name, names):
            self.who.check(name)
            self._record(tx, AuditAction(action, audit.PROJECT, name, name))

    def rename_project(self, old: str, new: str) -> ProjectMove:
        from modicum.memory.tables.projects import held_in, rename

        with self._writing("rename") as tx:
            self._touch_projects(tx, "renamed", old, new)
            seen = held_in(tx, [old], new)
            moved = rename(tx.unlimited, old, new)
            return seen if self.who.is_limited else moved

    def rescue(self, lost: "Lost", project: str) -> "Rescued":
        """Moves items of the store that belong to no project into one; items of other projects stay there."""
        from modicum.memory.tables.rescue import rescue

        name = project_name(project)
        self.who.check(name)
        self.who.check("")
        with self._writing("rescue") as tx:
            done = rescue(tx, lost, name)
            self._record(tx, *done.actions(name))
            return done.naming(self.who.seen_projects)

    def remove_project(self, name: str) -> ProjectMove:
        """Removes a project without notes from the store, with its prompts and sessions."""
        from modicum.memory.tables.projects import held, remove

        with self._writing("remove") as tx:
            self._touch_projects(tx, "removed", name)
            seen, there = held(tx, project_name(name)), held(tx.unlimited, project_name(name))
            if there.prompts > seen.prompts:
                raise Forbidden("other people have prompts there", remedy="ask them to delete those")
            if there.notes > seen.notes:
                raise Refused("other people have notes there", remedy="ask them to delete those")
            return remove(tx.unlimited, name)

    def put_progress(self, project: str, content: str, namespace: str = "") -> Progress:
        from modicum.memory.tables.progress import progress_of, put_progress

        document = progress_of(project, namespace, content, now=self._now())
        self.who.check(document.project)
        with self._writing("progress", f"project {document.project}") as tx:
            self._record(tx, AuditAction("changed", audit.PROGRESS, document.project, document.project))
            return put_progress(tx.unlimited, document)

    def compact(
        self,
        numbers: Sequence[int],
        query: Query,
        *,
        title: str = "",
        content: str = "",
        session_id: str = "",
    ) -> Compacted:
        """Deletes the notes from the store that the query admits, and saves a given summary instead."""
        from modicum.memory.tables.compaction import check_compaction, compact, summary_of

        check_compaction(numbers, title, content)
        summary = summary_of(title, content, query, session_id, COMPACTION_SUMMARY)
        if summary:
            self.who.check(summary.note.project, summary.note.scope)
            stamped = summary.note._replace(owner=self.who.name, origin=self.origin)
            summary = summary._replace(note=stamped)
        with self._writing("compact") as tx:
            done = compact(tx, numbers, query, summary, now=self._now())
            for number in done.deleted:
                self._touch(tx, number, "deleted")
            if summary and done.summary_id:
                self._record(tx, of_note("saved", summary.note._replace(id=done.summary_id)))
            return done

    def take_in(
        self, archive: Archive, *, origin: str = IMPORT, tell: Callable[[int], None] = lambda _: None
    ) -> Imported:
        """Takes an archive into the store in short transactions; `tell` gets the number of notes done.

        Everything gets the `origin`, whatever the archive says: anybody may have written it. What a script brings is a script's.
        """
        if not rights_of(self.origin).leads:
            origin = self.origin
        from modicum.memory.exchange import transfer

        claimed = transfer.stamped(self.who.claim(transfer.placed(self.database, archive)), origin)
        archive = transfer.prepared(claimed, latest=latest_time(self.clock()))
        imported = AuditAction("imported", "archive", f"{len(archive.notes)} notes")
        writing = partial(self._writing, self.batch("import"))
        return transfer.take_in(archive, writing, tell, lambda tx: self._record(tx, imported), origin)

    def undo(
        self, number: int = 0, *, kind: str = "", dry_run: bool = False, within: Reach = EVERYWHERE
    ) -> UndoneBatch:
        """Undoes a batch of changes of the store: the one named, or the person's latest that is no hook's.

        What later batches changed is left. `kind` narrows the choice; `dry_run` tells what would be done. What is not
        within the reach is refused.
        """
        from modicum.memory.undo.run import RolledBack, chosen, take_back

        with self.reading() as tx, self._all_that_is(tx) as every:
            within = within._replace(project=project_name(within.project))
            project = "" if within.everywhere else within.project
            since = batches.horizon(self.clock())
            found = chosen(tx, every, self.who, number, kind=kind, since=since, project=project)
        batch = self.batch("undo", found.id)
        with suppress(RolledBack), self._writing(batch) as tx:
            done = take_back(tx, found, self.who, now=self._now(), within=within)
            self._record(tx, AuditAction("undone", "batch", str(found.id)))
            if dry_run or (
                number and not done.counts
            ):  # it can be tried again; without a number the next one is meant then
                raise RolledBack
        return done._replace(number=batch.number)

    def _all_that_is(self, tx: Transaction) -> AbstractContextManager[Transaction]:
        """The transaction itself if nothing limits it, else one that reads everything, to decide and never to tell."""
        return self.database.reading() if self.who.is_limited else nullcontext(tx)

    def rebuild_index(self) -> None:
        """Rebuilds the full-text index of the whole store from its notes."""
        self.database.rebuild_index()
        last = -1
        while last:
            with self._writing("index") as tx:
                last = notes.reindex(tx.unlimited, last, 200)
