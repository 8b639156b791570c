"""The memory: one set of methods over any of our databases. Values in, values out; never a formatted text."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from modicum.memory import lists, observations, sessions
from modicum.memory.database import Database, Transaction
from modicum.memory.model import (
    COMPACTION_SUMMARY,
    DEDUPE_SECONDS,
    PASSIVE,
    RELATES_TO,
    Archive,
    Captured,
    Changes,
    Compacted,
    Context,
    Draft,
    Imported,
    Listing,
    Moved,
    Neighbour,
    Observation,
    Progress,
    ProjectStats,
    Prompt,
    Query,
    Refused,
    Relation,
    Results,
    Revision,
    Saved,
    Session,
    Stats,
    Timeline,
)
from modicum.memory.names import Similar, default_session, project_name, similar_projects
from modicum.memory.times import stamp

Clock = Callable[[], float]

EVERYTHING = Query()
COUNT_CHANGE = "UPDATE totals SET value = value + 1 WHERE name = 'changes'"


class Store:
    """Sessions, prompts and observations. Safe to use from many threads at once."""

    def __init__(
        self, database: Database, *, clock: Clock = time.time, dedupe_seconds: float = DEDUPE_SECONDS
    ) -> None:
        self.database = database
        self.clock = clock
        self.dedupe_seconds = dedupe_seconds

    @contextmanager
    def _writing(self) -> Iterator[Transaction]:
        with self.database.writing() as tx:
            yield tx
            tx.run(COUNT_CHANGE)

    def _now(self) -> str:
        return stamp(self.clock())

    def close(self) -> None:
        self.database.close()

    def version(self) -> int:
        """A number that is another one after every change, for whoever keeps finished answers."""
        with self.database.reading() as tx:
            return lists.version(tx)

    # Observations

    def save(self, draft: Draft, *, known_session: bool = False) -> Saved:
        """Keep a draft. Its session is made if need be, or must be a `known_session`."""
        return self.save_all([draft], known_session=known_session)[0]

    def save_all(self, drafts: Sequence[Draft], *, known_session: bool = False) -> tuple[Saved, ...]:
        """Keep several drafts, all or none."""
        entries = [observations.prepare(draft) for draft in drafts]
        seconds = self.clock()
        now, window = stamp(seconds), stamp(seconds - self.dedupe_seconds)
        with self._writing() as tx:
            return tuple(
                observations.save(tx, entry, now=now, window=window, known_session=known_session)
                for entry in entries
            )

    def capture(
        self, text: str, *, project: str = "", session_id: str = "", source: str = "", namespace: str = "",
        known_session: bool = False,
    ) -> Captured:  # fmt: skip
        """Keep the learnings that a text lists, unless the project has them already."""
        from modicum.memory.learnings import learnings

        drafts = [
            Draft(
                observations.headline(item),
                item,
                PASSIVE,
                project,
                session_id,
                namespace=namespace,
                tool_name=source,
            )
            for item in learnings(text)
        ]
        entries, now = [observations.prepare(draft) for draft in drafts], self._now()
        with self._writing() as tx:
            key = session_id or default_session(project_name(project))
            sessions.ensure_session(tx, key, project_name(project), namespace, now=now, known=known_session)
            kept = [
                observations.capture(tx, entry, now=now, known_session=known_session) for entry in entries
            ]
        saved = tuple(number for number in kept if number is not None)
        return Captured(len(entries), saved, len(entries) - len(saved))

    def get(self, number: int, *, deleted: bool = False) -> Observation | None:
        """The observation; one that was deleted softly only if asked for."""
        with self.database.reading() as tx:
            return lists.get(tx, number, deleted=deleted)

    def update(self, number: int, changes: Changes) -> Observation:
        with self._writing() as tx:
            return observations.update(tx, number, changes, now=self._now())

    def delete(self, number: int, *, hard: bool = False) -> bool:
        """Whether there was something to delete."""
        with self._writing() as tx:
            return observations.delete(tx, number, hard=hard, now=self._now())

    def restore(self, number: int) -> Observation:
        with self._writing() as tx:
            return observations.restore(tx, number, now=self._now())

    def history(self, number: int) -> tuple[Revision, ...]:
        """Every revision, the present one first."""
        with self.database.reading() as tx:
            return observations.history(tx, number)

    def pin(self, number: int, *, pinned: bool = True) -> None:
        with self._writing() as tx:
            observations.pin(tx, number, pinned=pinned)

    # Reading

    def recent(self, query: Query = EVERYTHING) -> Listing[Observation]:
        with self.database.reading() as tx:
            return lists.recent(tx, query)

    def pinned(self, query: Query = EVERYTHING) -> Listing[Observation]:
        with self.database.reading() as tx:
            return lists.pinned(tx, query)

    def of_session(self, key: str, limit: int = 200) -> tuple[Observation, ...]:
        """The observations of a session, oldest first."""
        with self.database.reading() as tx:
            return lists.of_session(tx, key, limit)

    def context(
        self, query: Query = EVERYTHING, *, sessions: int = 5, prompts: int = 10, pinned: int = 0
    ) -> Context:
        """What a new session should know, read at one moment."""
        with self.database.reading() as tx:
            return lists.context(
                tx, query, sessions_limit=sessions, prompts_limit=prompts, pinned_limit=pinned
            )

    def timeline(self, number: int, *, before: int = 5, after: int = 5) -> Timeline:
        with self.database.reading() as tx:
            return lists.timeline(tx, number, before=before, after=after)

    def search(self, text: str, query: Query = EVERYTHING) -> Results:
        """What answers a plain question, best first."""
        from modicum.memory.search import search

        with self.database.reading() as tx:
            return search(tx, self.database.words, text, query, today=self._now()[:10])

    def count(self, query: Query = EVERYTHING) -> int:
        with self.database.reading() as tx:
            return lists.count(tx, query)

    def stats(self) -> Stats:
        with self.database.reading() as tx:
            return lists.stats(tx)

    # Sessions and prompts

    def start_session(
        self, key: str, *, project: str = "", directory: str = "", namespace: str = ""
    ) -> Session:
        """A new session, or the known one with its gaps filled."""
        session = sessions.session_of(key, project, directory, namespace, now=self._now())
        with self._writing() as tx:
            return sessions.start(tx, session)

    def end_session(self, key: str, summary: str = "") -> Session | None:
        """The session, ended. None: there is no such session."""
        from modicum.memory.redact import redact

        with self._writing() as tx:
            return sessions.end(tx, key, redact(summary), now=self._now())

    def session(self, key: str) -> Session | None:
        with self.database.reading() as tx:
            return sessions.get(tx, key)

    def sessions(self, query: Query = EVERYTHING) -> Listing[Session]:
        """Sessions, the one with the latest activity first."""
        with self.database.reading() as tx:
            return sessions.recent(tx, query)

    def delete_session(self, key: str) -> bool:
        """Whether the session was there; one that holds anything is refused."""
        with self._writing() as tx:
            return sessions.remove(tx, key)

    def add_prompt(
        self, content: str, *, session_id: str = "", project: str = "", namespace: str = "",
        known_session: bool = False,
    ) -> Prompt:  # fmt: skip
        from modicum.memory.redact import redact

        clean = redact(content)
        if not clean:
            raise Refused("there is nothing to save: the prompt is empty", remedy="give its text")
        name = project_name(project)
        key = session_id or default_session(name)
        prompt = Prompt(0, observations.mint("prompt"), key, clean, name, namespace.strip(), self._now())
        with self._writing() as tx:
            return sessions.add_prompt(tx, prompt, known_session=known_session)

    def prompts(self, query: Query = EVERYTHING) -> Listing[Prompt]:
        with self.database.reading() as tx:
            return sessions.recent_prompts(tx, query)

    def search_prompts(self, text: str, query: Query = EVERYTHING) -> tuple[Prompt, ...]:
        """The prompts that share words with a text, best first."""
        from modicum.memory.search import search_prompts

        with self.database.reading() as tx:
            return search_prompts(tx, self.database.words, text, query)

    def prompt(self, number: int) -> Prompt | None:
        with self.database.reading() as tx:
            return sessions.get_prompt(tx, number)

    def delete_prompt(self, number: int) -> bool:
        with self._writing() as tx:
            return bool(tx.run(sessions.REMOVE_PROMPT, {"id": number}))

    # Relations

    def relate(
        self, from_id: int, to_id: int, kind: str = RELATES_TO, *, note: str = "", both: bool = False
    ) -> tuple[Relation, ...]:
        """A new edge, or one in each direction."""
        from modicum.memory.redact import redact
        from modicum.memory.relations import relate

        forth = Relation(0, from_id, to_id, kind.strip() or RELATES_TO, redact(note), self._now())
        back = forth._replace(from_id=to_id, to_id=from_id)
        with self._writing() as tx:
            return tuple(relate(tx, edge) for edge in ((forth, back) if both else (forth,)))

    def unrelate(self, number: int) -> None:
        from modicum.memory.relations import unrelate

        with self._writing() as tx:
            unrelate(tx, number)

    def relations(self, number: int) -> tuple[Relation, ...]:
        """The edges of an observation in either direction."""
        from modicum.memory.relations import relations

        with self.database.reading() as tx:
            return relations(tx, number)

    def graph(self, number: int, depth: int = 2) -> tuple[Neighbour, ...]:
        """What is connected to an observation, the nearest first."""
        from modicum.memory.relations import graph

        with self.database.reading() as tx:
            return graph(tx, number, depth)

    # Projects

    def projects(self) -> tuple[ProjectStats, ...]:
        with self.database.reading() as tx:
            return lists.projects(tx)

    def similar_projects(self, name: str) -> tuple[Similar, ...]:
        """Projects that may have been meant by a name."""
        return similar_projects(name, [project.name for project in self.projects() if project.name])

    def merge_projects(self, sources: Sequence[str], target: str) -> Moved:
        from modicum.memory.projects import merge

        with self._writing() as tx:
            return merge(tx, sources, target)

    def rename_project(self, old: str, new: str) -> Moved:
        from modicum.memory.projects import rename

        with self._writing() as tx:
            return rename(tx, old, new)

    def prune_project(self, name: str) -> Moved:
        """Remove a project that has no observations."""
        from modicum.memory.projects import prune

        with self._writing() as tx:
            return prune(tx, name)

    # Upkeep

    def progress(self, project: str, namespace: str = "") -> Progress | None:
        from modicum.memory.upkeep import get_progress

        with self.database.reading() as tx:
            return get_progress(tx, project, namespace)

    def put_progress(self, project: str, content: str, namespace: str = "") -> Progress:
        from modicum.memory.upkeep import progress_of, put_progress

        document = progress_of(project, namespace, content, now=self._now())
        with self._writing() as tx:
            return put_progress(tx, document)

    def stale(self, query: Query) -> tuple[Observation, ...]:
        """The oldest observations before `query.until`."""
        from modicum.memory.upkeep import stale

        with self.database.reading() as tx:
            return stale(tx, query)

    def compact(
        self,
        numbers: Sequence[int],
        query: Query,
        *,
        title: str = "",
        content: str = "",
        session_id: str = "",
    ) -> Compacted:
        """Delete those of the ids that the query admits, and put a summary in their place if there is one."""
        from modicum.memory.upkeep import check_compaction, compact, summary_of

        check_compaction(numbers, title, content)
        summary = summary_of(title, content, query, session_id, COMPACTION_SUMMARY)
        with self._writing() as tx:
            return compact(tx, numbers, query, summary, now=self._now())

    def export(self) -> Archive:
        """Everything, read at one moment."""
        from modicum.memory.transfer import export

        with self.database.reading() as tx:
            return export(tx, now=self._now())

    def take_in(self, archive: Archive, *, tell: Callable[[int], None] = lambda _: None) -> Imported:
        """Add what is not here yet, in short transactions; `tell` hears how many observations are done."""
        from modicum.memory import transfer

        ids: transfer.Ids = {}
        done = [Imported()]
        for batch in transfer.batches(archive.sessions):
            with self._writing() as tx:
                done.append(transfer.add_sessions(tx, batch))
        for number, some in enumerate(transfer.batches(archive.observations)):
            entries = [transfer.entry_of(observation) for observation in some]
            with self._writing() as tx:
                done.append(transfer.add_observations(tx, entries, ids))
            tell(number * transfer.BATCH + len(some))
        for prompts in transfer.batches(archive.prompts):
            with self._writing() as tx:
                done.append(transfer.add_prompts(tx, prompts))
        with self._writing() as tx:
            done.append(transfer.add_rest(tx, archive, ids))
        return transfer.total(done)

    def problems(self) -> tuple[str, ...]:
        """What is wrong with the database, if anything: reads all of it."""
        return self.database.problems()

    def rebuild_index(self) -> None:
        """Make the full-text index anew, from the observations."""
        self.database.rebuild_index()
        last = -1
        while last:
            with self._writing() as tx:
                last = observations.reindex(tx, last, 200)
