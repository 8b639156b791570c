"""The reader of memory: reads it as one person may see it, and never formats text."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

from modicum.base.errors import Remedy
from modicum.memory.brief.lines import Brief, BriefNote
from modicum.memory.engines.database import Database, Transaction
from modicum.memory.filters.model import NOTE, ItemKind
from modicum.memory.model import (
    DEDUPE_SECONDS,
    Archive,
    Context,
    Listing,
    Neighbour,
    Note,
    NotePair,
    NotFound,
    Progress,
    ProjectStats,
    Prompt,
    Query,
    Relation,
    Results,
    Revision,
    Session,
    Stats,
    StoreProblem,
    Timeline,
    WaitingNote,
)
from modicum.memory.names import Similar, public_ids, similar_projects
from modicum.memory.people.access import ANYBODY, Person
from modicum.memory.tables import audit, batches, lists, notes, sessions
from modicum.memory.times import stamp
from modicum.memory.undo.model import LoggedBatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from modicum.memory.find.likeness import Near
    from modicum.memory.find.meaning import Meaning
    from modicum.memory.projects.keys import FolderKeys, NamedProject
    from modicum.memory.projects.rows import AskRoot, Look

Clock = Callable[[], float]

EVERYTHING = Query()
COMPARED = 20_000


class Reader:
    """The reader of the store of memory: sessions, prompts and notes as one person may see them. Thread-safe."""

    def __init__(
        self, database: Database, *, clock: Clock = time.time, dedupe_seconds: float = DEDUPE_SECONDS,
        who: Person = ANYBODY, source: str = "",
    ) -> None:  # fmt: skip
        self.database, self.clock, self.dedupe_seconds, self.who = database, clock, dedupe_seconds, who
        self.source = source  # the door or hook that changes are made through
        self.meaning: Meaning | None = None  # set by a server that has a sentence model
        self.origin = ""  # who says what is saved here; a door sets it

    def seen_by(self, who: Person) -> "Self":
        """Returns the same reader of the store for another person."""
        other = type(self)(
            self.database, clock=self.clock, dedupe_seconds=self.dedupe_seconds, who=who, source=self.source
        )
        other.meaning, other.origin = self.meaning, self.origin
        return other

    def with_origin(self, origin: str) -> "Self":
        """Returns the same reader of the store for another origin, which is stamped on what is saved."""
        other = self.seen_by(self.who)
        other.origin = origin
        return other

    def through(self, source: str) -> "Self":
        """Returns the same reader of the store for another door or hook."""
        other = self.seen_by(self.who)
        other.source = source
        return other

    def reading(self) -> AbstractContextManager[Transaction]:
        """Opens a transaction of the store for the reader: it sees what the person may see, at one point in time."""
        return self.database.reading(self.who)

    def _narrowed(self, query: Query) -> Query:
        """Returns the query with the project of somebody who sees only one: a list of one project is read along an index."""
        seen = self.who.seen_projects
        return query._replace(project=seen[0]) if len(seen) == 1 and not query.project else query

    def _now(self) -> str:
        return stamp(self.clock())

    def close(self) -> None:
        self.database.close()

    def version(self) -> int:
        """Returns a number that changes with every change of memory, for a reader that keeps answers."""
        return lists.version(self.database)

    def get(self, number: int, *, deleted: bool = False) -> Note | None:
        """Reads from the store the note with this id if the reader may see it, or None; deleted ones with `deleted`."""
        with self.reading() as tx:
            return lists.get(tx, number, deleted=deleted)

    def kept(self, number: int) -> tuple[Note, int]:
        """Reads from the store a note that was just saved, also one that waits, and how many notes its project has."""
        with self.reading() as tx:
            note = lists.get(tx, number, deleted=True)
            if note is None:
                raise NotFound(f"there is no note #{number}", remedy=Remedy("note.find"))
            return note, lists.count(tx, Query(project=note.project)) if note.project else 0

    def of_public_id(self, least: int, greatest: int) -> tuple[Note, ...]:
        """Reads from the store the notes, deleted ones too, whose public ids are within two numbers, as far as the reader may see them."""
        with self.reading() as tx:
            return lists.of_public_id(tx, least, greatest)

    def names(self, numbers: Iterable[int]) -> dict[int, str]:
        """Reads from the store the public ids of the notes with these numbers that the reader may see; `#12` for others."""
        wanted = dict.fromkeys(numbers)
        with self.reading() as tx:
            found = public_ids(lists.public_numbers(tx, wanted))
        return {number: found.get(number, f"#{number}") for number in wanted}

    def history(self, number: int) -> tuple[Revision, ...]:
        """Reads from the store every revision of a note that the reader may see, the present one first."""
        with self.reading() as tx:
            return notes.history(tx, number)

    def recent(self, query: Query = EVERYTHING) -> Listing[Note]:
        with self.reading() as tx:
            return lists.recent(tx, self._narrowed(query))

    def inbox(self, query: Query = EVERYTHING) -> Listing[WaitingNote]:
        """Reads from the store the notes that wait for a person, as far as the reader may see them, newest first."""
        from modicum.memory.tables import inbox

        with self.reading() as tx:
            return inbox.waiting(tx, self._narrowed(query))

    def waiting(self, number: int) -> WaitingNote | None:
        """Reads from the store a note in the inbox that the reader may see, with the reason; None if it does not wait there."""
        from modicum.memory.tables import inbox

        with self.reading() as tx:
            return inbox.get(tx, number)

    def count_inbox(self, query: Query = EVERYTHING) -> int:
        from modicum.memory.tables import inbox

        with self.reading() as tx:
            return inbox.count(tx, self._narrowed(query))

    def pinned(self, query: Query = EVERYTHING) -> Listing[Note]:
        with self.reading() as tx:
            return lists.pinned(tx, query)

    def recalled(self, project: str, limit: int) -> Brief:
        """Reads from the store the brief of a new session as far as the reader may see it: notes on single lines."""
        from modicum.memory.brief.query import recalled

        with self.reading() as tx:
            return recalled(tx.rows, project, limit)

    def deleted(self, query: Query = EVERYTHING) -> Listing[Note]:
        """Reads from the store the notes that were deleted and can be restored, as far as the reader may see them, the latest first."""
        with self.reading() as tx:
            return lists.deleted(tx, self._narrowed(query))

    def of_session(self, key: str, limit: int = 200) -> tuple[Note, ...]:
        """Reads from the store the notes of a session that the reader may see, oldest first."""
        with self.reading() as tx:
            return lists.of_session(tx, key, limit)

    def context(
        self, query: Query = EVERYTHING, *, sessions: int = 5, prompts: int = 10, pinned: int = 0,
        beside: Query | None = None,
    ) -> Context:  # fmt: skip
        """Reads from the store the context of a new session, as far as the reader may see it.

        Sessions and prompts are those that the query asks for, or another one: `beside`.
        """
        with self.reading() as tx:
            queries = self._narrowed(query), self._narrowed(beside or query)
            return lists.context(
                tx, *queries, sessions_limit=sessions, prompts_limit=prompts, pinned_limit=pinned
            )

    def timeline(self, number: int, *, before: int = 5, after: int = 5) -> Timeline:
        with self.reading() as tx:
            return lists.timeline(tx, number, before=before, after=after)

    def search(self, text: str, query: Query = EVERYTHING) -> Results:
        """Searches the store for the notes that answer a plain question, best first, as far as the reader may see them."""
        from modicum.memory.find.likeness import NO_MODEL
        from modicum.memory.find.search import search

        near = self._near() or NO_MODEL
        with self.reading() as tx:
            return search(tx, text, self._narrowed(query), today=self._now()[:10], near=near)

    def notes_for_prompt(self, text: str, query: Query = EVERYTHING) -> tuple[BriefNote, ...]:
        """Reads from the store the notes that share words with a prompt, best first, as far as the reader may see them."""
        from modicum.memory.find.for_prompt import notes_for_prompt
        from modicum.memory.find.likeness import NO_MODEL

        near = self._near() or NO_MODEL
        with self.reading() as tx:
            return notes_for_prompt(tx, text, self._narrowed(query), today=self._now()[:10], near=near)

    def _near(self) -> "Near | None":
        # The version is read first: what is kept for it is at least as new.
        return self.meaning.near(self.version(), self.who) if self.meaning else None

    def count(self, query: Query = EVERYTHING, kind: ItemKind = NOTE) -> int:
        with self.reading() as tx:
            return lists.count(tx, query, kind)

    def stats(self) -> Stats:
        with self.reading() as tx:
            return lists.stats(tx)

    def session(self, key: str) -> Session | None:
        with self.reading() as tx:
            return sessions.get(tx, key)

    def sessions(self, query: Query = EVERYTHING) -> Listing[Session]:
        """Reads from the store the sessions that the reader may see, the one with the latest activity first."""
        with self.reading() as tx:
            return sessions.recent(tx, self._narrowed(query))

    def prompts(self, query: Query = EVERYTHING) -> Listing[Prompt]:
        with self.reading() as tx:
            return sessions.recent_prompts(tx, self._narrowed(query))

    def search_prompts(self, text: str, *, project: str = "", limit: int = 20) -> tuple[Prompt, ...]:
        """Searches the store for the prompts that share words with a text, best first, as far as the reader may see them."""
        from modicum.memory.find.prompts import search_prompts

        with self.reading() as tx:
            return search_prompts(tx, text, project=project, limit=limit)

    def relations(self, number: int) -> tuple[Relation, ...]:
        """Reads from the store the relations of a note that the reader may see, in either direction."""
        from modicum.memory.tables.relations import relations

        with self.reading() as tx:
            return relations(tx, number)

    def every_relation(self) -> tuple[Relation, ...]:
        """Reads from the store all relations that the reader may see, oldest first."""
        from modicum.memory.tables.relations import every

        with self.reading() as tx:
            return every(tx)

    def disputes(self, numbers: Sequence[int]) -> tuple[Relation, ...]:
        """Reads from the store the relations that the reader may see by which some of these notes contradict others, or are replaced."""
        from modicum.memory.tables.relations import disputes

        with self.reading() as tx:
            return disputes(tx, numbers)

    def graph(self, number: int, depth: int = 2) -> tuple[Neighbour, ...]:
        """Reads from the store the notes connected to a note, the nearest first, as far as the reader may see them."""
        from modicum.memory.tables.relations import graph

        with self.reading() as tx:
            return graph(tx, number, depth)

    def projects(self) -> tuple[ProjectStats, ...]:
        with self.reading() as tx:
            return lists.projects(tx)

    def find_project(self, keys: "FolderKeys", ask_root: "AskRoot") -> "Look":
        """Finds in the store the project of a folder by its keys, whoever may read its notes."""
        from modicum.memory.projects.rows import look

        found, seen = look(self.database.ask, keys, self.who.name, ask_root), self.who.seen_projects
        others = tuple(each for each in found.found.others if not seen or each in seen)
        return found._replace(found=found.found._replace(others=others))

    def projects_named(self, name: str) -> "tuple[NamedProject, ...]":
        """Reads from the store the projects that a name may mean, as far as the reader may see them."""
        from modicum.memory.projects.rows import named

        seen = self.who.seen_projects
        return tuple(each for each in named(self.database.ask, name) if not seen or each.id in seen)

    def projects_meant(self, found: "Look") -> tuple[str, ...]:
        """Reads from the store which projects that the reader may see a folder may mean whose own has no notes, as they are shown."""
        from modicum.memory.projects.rows import having_notes, meant

        projects = meant(self.database.ask, found)
        with self.reading() as tx:
            return having_notes(tx.rows, projects)

    def project_origins(self, project: str) -> tuple[str, ...]:
        """Reads from the store the origins of a project: the repositories that it belongs to."""
        from modicum.memory.projects.rows import origins

        return origins(self.database.ask, project)

    def free_project(self, keys: "FolderKeys") -> str:
        """Returns an id that nothing in the store has, for the project of a folder that is not there yet."""
        from modicum.memory.projects.rows import free_id

        return free_id(self.database.ask, keys)

    def shown_projects(self) -> dict[str, str]:
        """Reads from the store how each project that the reader may see is shown, by its id; those alone of their name are left out."""
        from modicum.memory.projects.rows import every
        from modicum.memory.projects.shown import shown_names

        with self.reading() as tx:
            known = {each.name for each in lists.projects(tx)}
        return shown_names(known, every(self.database.ask))

    def types(self, project: str = "") -> dict[str, int]:
        """Reads from the store how many notes of each type the reader may see, the most frequent type first."""
        with self.reading() as tx:
            return lists.types(tx, project)

    def contradicting(self, project: str = "", limit: int = 50) -> tuple[NotePair, ...]:
        """Reads from the store pairs of notes that contradict each other, as far as the reader may see both."""
        from modicum.memory.tables.pairs import contradicting

        with self.reading() as tx:
            return contradicting(tx, project, limit)

    def same_text(self, project: str = "", limit: int = 50) -> tuple[NotePair, ...]:
        """Reads from the store pairs of notes with the same text that the reader may see, without those that are related.

        For a person whose access is limited, every note has to be looked at: then only the newest are compared.
        """
        from modicum.memory.tables.pairs import same_text

        with self.reading() as tx:
            return same_text(tx, project, limit, newest=COMPARED if self.who.is_limited else 0)

    def unrelated(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Reads from the store which of some pairs of notes have no relation that the reader may see."""
        from modicum.memory.tables.pairs import unrelated

        with self.reading() as tx:
            return unrelated(tx, pairs)

    def similar_projects(self, name: str) -> tuple[Similar, ...]:
        """Reads from the store the projects that the reader may have meant by a name."""
        return similar_projects(name, [project.name for project in self.projects() if project.name])

    def progress(self, project: str, namespace: str = "") -> Progress | None:
        from modicum.memory.tables.progress import get_progress

        with self.reading() as tx:
            return get_progress(tx, project, namespace)

    def stale(self, query: Query) -> tuple[Note, ...]:
        """Reads from the store the oldest notes before `query.until` that the reader may see."""
        from modicum.memory.tables.compaction import stale

        with self.reading() as tx:
            return stale(tx, self._narrowed(query))

    def export(self) -> Archive:
        """Reads from the store everything that the reader may see, as an archive, at one point in time."""
        from modicum.memory.exchange.transfer import export
        from modicum.memory.projects.rows import archived

        projects, keys = archived(self.database.ask, self.who.seen_projects)
        with self.reading() as tx:
            return export(tx, now=self._now(), projects=projects, keys=keys)

    def problems(self) -> tuple[StoreProblem, ...]:
        """Returns what is wrong with the database of the store that the reader reads, if anything, after a look at all of it."""
        return self.database.problems()

    def log(self, limit: int = 20, *, below: int = 0) -> tuple[LoggedBatch, ...]:
        """Reads from the store the batches of the last 30 days that the reader may see, the latest first; of a person, their own.

        With `below`, only those with a smaller number.
        """
        with self.reading() as tx:
            since, is_all = batches.horizon(self.clock()), not self.who.is_limited
            return batches.logged(tx, since, limit, below, tells_gone=is_all)

    def audit(self, query: Query = EVERYTHING, *, person: str = "") -> Listing[audit.AuditRecord]:
        """Reads from the store the audit records that the reader may see: who did what, the latest first."""
        with self.reading() as tx:
            return audit.entries(tx, query, person)
