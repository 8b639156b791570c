"""Session events: what happens in an agent's session, the agent and the place it happens in, and the memory it is about."""

import os
from contextlib import contextmanager

from modicum.base.bounded import read_bounded
from modicum.base.named_tuple import NamedTuple
from modicum.base.paths import (
    CONFIG_FILE,
    MEMORY_FILE,
    POSTGRES,
    PROJECT_FOLDER,
    database_of,
    find_root,
    folders_of,
    home_of,
    person_of,
)
from modicum.memory.brief.lines import Brief, BriefNote
from modicum.memory.names import default_session
from modicum.memory.projects.folder import folder_keys, root_commit
from modicum.memory.projects.keys import FolderKeys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Protocol

    from modicum.memory.engines.database import Database
    from modicum.memory.model import Session
    from modicum.memory.store import Store

    class SessionMemory(Protocol):
        """The protocol of what session events use as memory: a file or database of ours, or a server."""

        def recalled(self, folder: FolderKeys, limit: int) -> Brief: ...

        def submit(
            self, prompt: "TypedPrompt", seen: frozenset[int], limit: int
        ) -> tuple[BriefNote, ...]: ...

        def finish_session(self, folder: FolderKeys, session: str) -> None: ...

        def capture(self, folder: FolderKeys, session: str, text: str) -> None: ...


SESSION_START, PROMPT_SUBMIT, SESSION_END = "session-start", "prompt-submit", "session-end"
SUBAGENT_STOP, PRE_COMPACT = "subagent-stop", "pre-compact"
EVENTS = (SESSION_START, PROMPT_SUBMIT, SESSION_END, SUBAGENT_STOP, PRE_COMPACT)
UNKNOWN = "unknown"  # the session of an agent that does not say which it is
_SEARCHED = 12


class SessionEvent(NamedTuple):
    """An event of an agent's session, whatever hook tells of it; `name` is the agent's own name for the event, if it says one."""

    kind: str
    session: str = ""
    folder: str = ""
    prompt: str = ""
    message: str = ""
    transcript: str = ""
    source: str = ""
    name: str = ""


class SessionAgent(NamedTuple):
    """What is known of the agent that tells an event, and how long a text it takes.

    `forgets`: a resumed session does not have what it was told at its start. `compacts_at`: tokens from which it compacts, for
    one that announces it at every turn.
    """

    listens: bool = False  # it takes a text at this event
    starts_at_prompt: bool = False  # the session-start text comes with the first prompt
    forgets: bool = False
    compacts_at: int = 0
    copies: int = 1  # how often a reply to it holds the text
    max_chars: int = 0
    max_tokens: int = 0


class SessionPlace(NamedTuple):
    """Where a session works: data folder, project folder and its keys, agent, environment, and a server as memory, if any."""

    data: str
    root: str
    keys: FolderKeys
    harness: str
    environment: "Mapping[str, str]"
    server: "Callable[[], SessionMemory] | None" = None
    folder: str = ""

    @property
    def project(self) -> str:
        """Returns the name of the project of a session."""
        return self.keys.usual_name

    @property
    def memory(self) -> "SessionMemory":
        if self.server:
            return self.server()
        return memory_of(self.environment)._replace(harness=self.harness, ask_root=self.ask_root)

    def ask_root(self) -> str:
        """Returns the root commit of the session's project, which git is asked for."""
        return root_commit(self.folder or self.root, self.environment)

    def configs(self) -> "Mapping[str, str]":
        """Returns, for the events of a session, the texts of the user's own config file and of the project's."""
        folders = (folders_of(self.environment)[0], f"{self.root}/{PROJECT_FOLDER}")
        return {file: text_of(file) for file in (f"{folder}/{CONFIG_FILE}" for folder in folders)}


def place_of(
    folder: str,
    harness: str,
    environment: "Mapping[str, str]",
    server: "Callable[[], SessionMemory] | None" = None,
) -> SessionPlace:
    """Returns the place of a session that works in this folder, or in the current one if there is none."""
    start = folder if os.path.isdir(folder) else os.getcwd()
    start = os.path.normpath(start)
    root, keys = find_root(start, home_of(environment)), folder_keys(start, environment)
    if server and keys.clone and not keys.origin:
        keys = keys._replace(root=root_commit(start, environment))  # a server elsewhere cannot ask git
    return SessionPlace(folders_of(environment)[1], root, keys, harness, environment, server, start)


class TypedPrompt(NamedTuple):
    """The event of a prompt that the user typed in a session: in the folder with which keys, in which session and folder."""

    keys: FolderKeys
    session: str
    folder: str
    text: str


class Memory(NamedTuple):
    """Where the events of a session go: the path or URL of the memory, the person who asks, and the agent."""

    place: str
    person: str = ""
    harness: str = ""
    ask_root: "Callable[[], str]" = str

    @property
    def is_shared(self) -> bool:
        return self.place.startswith(POSTGRES)

    def recalled(self, folder: FolderKeys, limit: int) -> Brief:
        """Returns the brief for a session that starts: notes and the last summary."""
        if self.is_shared:
            with _store(self) as store:
                return store.recalled(self._project(store, folder), limit)
        from modicum.memory.brief.query import read_brief

        return read_brief(self.place, folder, limit=limit, person=self.person, ask_root=self.ask_root)

    def _project(self, store: "Store", folder: FolderKeys, *, writing: bool = False) -> str:
        return store.project_of_session(folder, self.ask_root, writing=writing)

    def submit(self, prompt: TypedPrompt, seen: frozenset[int], limit: int) -> tuple[BriefNote, ...]:
        """Saves a prompt, without secrets; starts its session, if it is new; returns helpful notes not seen yet."""
        from modicum.memory.model import Query

        with _store(self) as store:
            project = self._project(store, prompt.keys, writing=True)
            store.start_session(prompt.session, project=project, directory=prompt.folder)
            store.add_prompt(prompt.text, session_id=prompt.session, project=project)
            found = store.notes_for_prompt(prompt.text, Query(project=project)) if limit else ()
            return tuple(note for note in found if note.id not in seen)[:limit]

    def finish_session(self, folder: FolderKeys, session: str) -> None:
        """Ends a session, if the memory exists."""
        if self.is_shared or os.path.exists(self.place):
            with _store(self) as store:
                end_session(store, session, project=self._project(store, folder))

    def capture(self, folder: FolderKeys, session: str, text: str) -> None:
        """Keeps the event that a sub-agent of a session ended: saves the learnings that its last message lists."""
        from modicum.memory.learnings import learnings

        if learnings(text):
            with _store(self) as store:
                project = self._project(store, folder, writing=True)
                store.capture(text, project=project, session_id=session, source=SUBAGENT_STOP)


def memory_of(environment: "Mapping[str, str]") -> Memory:
    """Returns where the events of a session go: the memory of this user or team, from environment and config."""
    settings, data = folders_of(environment)
    own = _own_choices(f"{settings}/{CONFIG_FILE}")
    database = database_of(environment, own)
    place = database.removeprefix("sqlite://") or f"{data}/{MEMORY_FILE}"
    return Memory(place, person_of(environment, own, database))


def _own_choices(file: str) -> "Mapping[str, str]":
    """The user's settings; parsed only if they may be about memory, since YAML takes its time."""
    text = text_of(file)
    if "database" not in text and "person" not in text:
        return {}
    from modicum.base.config import parse_config

    return parse_config(text, file)


def text_of(file: str) -> str:
    """Returns the text of a file for a session event; "" if the file is absent or unreadable."""
    try:
        return read_bounded(file).decode("utf-8")
    except (OSError, ValueError):
        return ""


def without_secrets(text: str) -> str:
    """Returns a prompt's text without private parts and likely secrets, as events may send it."""
    from modicum.memory.redact import redact

    return redact(text)


def end_session(store: "Store", session: str, summary: str = "", *, project: str = "") -> "Session | None":
    """Ends a session at its end event and returns the session; None if there is no such session.

    Without a summary it keeps the one that it has; if it has none, the one that was saved as a note becomes it.
    """
    known = store.session(session)
    if known is None:
        return None
    if not summary.strip() and not known.summary:
        summary = _noted_summary(store, known._replace(project=project or known.project))
    return store.end_session(session, summary)


def _noted_summary(store: "Store", session: "Session") -> str:
    """The summary that was saved as a note of this session, or else since its start in its project and in no session.

    A personal one is left out, since others read the summaries of sessions.
    """
    from modicum.memory.model import PERSONAL, SESSION_SUMMARY, Query
    from modicum.memory.origins import rights_of

    asked = Query(type=SESSION_SUMMARY, limit=_SEARCHED)
    outside = asked._replace(project=session.project, session=default_session(session.project))
    queries = (asked._replace(session=session.id), outside._replace(since=session.started_at))
    found = (note for query in queries for note in store.recent(query).items if rights_of(note.origin).leads)
    return next((note.content for note in found if note.scope != PERSONAL), "")


@contextmanager
def _store(memory: Memory) -> "Iterator[Store]":
    from modicum.memory.origins import HOOK, origin_of
    from modicum.memory.people.access import person_named
    from modicum.memory.store import Store

    store = Store(_database(memory), who=person_named(memory.person), source=HOOK)
    store.origin = origin_of(HOOK, memory.harness)
    try:
        yield store
    finally:
        store.close()


def _database(memory: Memory) -> "Database":
    if memory.is_shared:
        from modicum.memory.engines.postgres import PostgresDatabase

        return PostgresDatabase(memory.place)
    from modicum.memory.engines.sqlite import SqliteDatabase

    if "://" in memory.place:
        raise ValueError("memory is neither a file nor on PostgreSQL")
    return SqliteDatabase(memory.place)
