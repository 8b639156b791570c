"""What can be read of memory: values over any of our databases, never a formatted text."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

from modicum.memory.brief.lines import Brief
from modicum.memory.engines.database import Database, Transaction
from modicum.memory.model import (
    DEDUPE_SECONDS,
    Archive,
    Context,
    Listing,
    Neighbour,
    Note,
    Progress,
    ProjectStats,
    Prompt,
    Query,
    Relation,
    Results,
    Revision,
    Session,
    Stats,
    Timeline,
)
from modicum.memory.names import Similar, similar_projects
from modicum.memory.people.access import ANYBODY, Limited, Person
from modicum.memory.tables import audit, lists, notes, sessions
from modicum.memory.times import stamp

Clock = Callable[[], float]

EVERYTHING = Query()


class Reader:
    """Sessions, prompts and notes, as one person may see them. Safe to use from many threads at once."""

    def __init__(
        self, database: Database, *, clock: Clock = time.time, dedupe_seconds: float = DEDUPE_SECONDS,
        who: Person = ANYBODY,
    ) -> None:  # fmt: skip
        self.database, self.clock, self.dedupe_seconds, self.who = database, clock, dedupe_seconds, who

    def seen_by(self, who: Person) -> Self:
        """The same store, for somebody else."""
        return type(self)(self.database, clock=self.clock, dedupe_seconds=self.dedupe_seconds, who=who)

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A moment of the database, as this person may see it."""
        with self.database.reading() as tx:
            yield self._limited(tx)

    def _limited(self, tx: Transaction) -> Transaction:
        return Limited(tx, self.who, self.database.qualifier) if self.who.is_limited else tx

    def _now(self) -> str:
        return stamp(self.clock())

    def close(self) -> None:
        self.database.close()

    def version(self) -> int:
        """A number that is another one after every change, for whoever keeps finished answers."""
        return lists.version(self.database)

    def get(self, number: int, *, deleted: bool = False) -> Note | None:
        """The note; one that was deleted softly only if asked for."""
        with self.reading() as tx:
            return lists.get(tx, number, deleted=deleted)

    def history(self, number: int) -> tuple[Revision, ...]:
        """Every revision, the present one first."""
        with self.reading() as tx:
            return notes.history(tx, number)

    def recent(self, query: Query = EVERYTHING) -> Listing[Note]:
        with self.reading() as tx:
            return lists.recent(tx, query)

    def pinned(self, query: Query = EVERYTHING) -> Listing[Note]:
        with self.reading() as tx:
            return lists.pinned(tx, query)

    def recalled(self, project: str, limit: int) -> Brief:
        """What a new session should know, on single lines."""
        from modicum.memory.brief.query import recalled

        with self.reading() as tx:
            return recalled(tx.rows, project, limit)

    def of_session(self, key: str, limit: int = 200) -> tuple[Note, ...]:
        """The notes of a session, oldest first."""
        with self.reading() as tx:
            return lists.of_session(tx, key, limit)

    def context(
        self, query: Query = EVERYTHING, *, sessions: int = 5, prompts: int = 10, pinned: int = 0
    ) -> Context:
        """What a new session should know, read at one moment."""
        with self.reading() as tx:
            return lists.context(
                tx, query, sessions_limit=sessions, prompts_limit=prompts, pinned_limit=pinned
            )

    def timeline(self, number: int, *, before: int = 5, after: int = 5) -> Timeline:
        with self.reading() as tx:
            return lists.timeline(tx, number, before=before, after=after)

    def search(self, text: str, query: Query = EVERYTHING) -> Results:
        """What answers a plain question, best first."""
        from modicum.memory.find.search import search

        with self.reading() as tx:
            today = self._now()[:10]
            return search(tx, self.database.words, text, query, today=today, among=self.who.marks)

    def count(self, query: Query = EVERYTHING) -> int:
        with self.reading() as tx:
            return lists.count(tx, query)

    def stats(self) -> Stats:
        with self.reading() as tx:
            return lists.stats(tx)

    def session(self, key: str) -> Session | None:
        with self.reading() as tx:
            return sessions.get(tx, key)

    def sessions(self, query: Query = EVERYTHING) -> Listing[Session]:
        """Sessions, the one with the latest activity first."""
        with self.reading() as tx:
            return sessions.recent(tx, query)

    def prompts(self, query: Query = EVERYTHING) -> Listing[Prompt]:
        with self.reading() as tx:
            return sessions.recent_prompts(tx, query)

    def search_prompts(self, text: str, query: Query = EVERYTHING) -> tuple[Prompt, ...]:
        """The prompts that share words with a text, best first."""
        from modicum.memory.find.search import search_prompts

        with self.reading() as tx:
            return search_prompts(tx, self.database.words, text, query)

    def relations(self, number: int) -> tuple[Relation, ...]:
        """The edges of a note in either direction."""
        from modicum.memory.tables.relations import relations

        with self.reading() as tx:
            return relations(tx, number)

    def graph(self, number: int, depth: int = 2) -> tuple[Neighbour, ...]:
        """What is connected to a note, the nearest first."""
        from modicum.memory.tables.relations import graph

        with self.reading() as tx:
            return graph(tx, number, depth)

    def projects(self) -> tuple[ProjectStats, ...]:
        with self.reading() as tx:
            return lists.projects(tx)

    def similar_projects(self, name: str) -> tuple[Similar, ...]:
        """Projects that may have been meant by a name."""
        return similar_projects(name, [project.name for project in self.projects() if project.name])

    def progress(self, project: str, namespace: str = "") -> Progress | None:
        from modicum.memory.tables.progress import get_progress

        with self.reading() as tx:
            return get_progress(tx, project, namespace)

    def stale(self, query: Query) -> tuple[Note, ...]:
        """The oldest notes before `query.until`."""
        from modicum.memory.tables.progress import stale

        with self.reading() as tx:
            return stale(tx, query)

    def export(self) -> Archive:
        """Everything, read at one moment."""
        from modicum.memory.exchange.transfer import export

        with self.reading() as tx:
            return export(tx, now=self._now())

    def problems(self) -> tuple[str, ...]:
        """What is wrong with the database, if anything: reads all of it."""
        return self.database.problems()

    def audit(self, query: Query = EVERYTHING, *, person: str = "") -> Listing[audit.AuditRecord]:
        """Who did what, the latest first, as far as this person may see it."""
        with self.reading() as tx:
            return audit.entries(tx, query, person)
