"""Session events, use cases for hooks: a session starts or ends, a prompt comes, a sub-agent stops."""

import os
from contextlib import contextmanager

from modicum.base.bounded import read_bounded
from modicum.base.named_tuple import NamedTuple
from modicum.base.paths import (
    CONFIG_FILE,
    MEMORY_FILE,
    POSTGRES,
    database_of,
    folders_of,
    person_of,
    project_of,
)
from modicum.memory.brief.lines import Brief as Brief
from modicum.memory.brief.lines import BriefNote as BriefNote
from modicum.memory.names import project_name
from modicum.memory.names import public_range as public_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from modicum.memory.engines.database import Database
    from modicum.memory.model import Session
    from modicum.memory.store import Store

SOURCE = "subagent-stop"
_TAIL_BYTES = 262_144  # of a transcript: the last message is near its end
_SEARCHED = 12


def project_named(environment: "Mapping[str, str]", root: str) -> str:
    """Returns the name in memory of the project in a folder, for a session event; the environment may name another."""
    return project_name(project_of(environment, root))


class Memory(NamedTuple):
    """The memory that session events use: the path of a file or a URL, and the person who asks."""

    place: str
    person: str = ""
    harness: str = ""  # the tool whose hook this is

    @property
    def is_shared(self) -> bool:
        return self.place.startswith(POSTGRES)


def memory_of(environment: "Mapping[str, str]") -> Memory:
    """Returns the memory of this user or team for session events, from environment and config."""
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


def recalled(memory: Memory, project: str, limit: int) -> Brief:
    """Returns the brief that memory has for the event of a starting session: notes and last summary."""
    if memory.is_shared:
        with _store(memory) as store:
            return store.recalled(project, limit)
    from modicum.memory.brief.query import read_brief

    return read_brief(memory.place, project, limit=limit, person=memory.person)


class TypedPrompt(NamedTuple):
    """The event of a prompt: what the user typed, in which project, session and folder."""

    project: str
    session: str
    folder: str
    text: str


def keep_prompt(
    memory: Memory, prompt: TypedPrompt, seen: frozenset[int], limit: int
) -> tuple[BriefNote, ...]:
    """Saves the prompt of a session event, without secrets; returns helpful notes not seen yet.

    Starts the session, if it is new.
    """
    from modicum.memory.model import Query

    with _store(memory) as store:
        store.start_session(prompt.session, project=prompt.project, directory=prompt.folder)
        store.add_prompt(prompt.text, session_id=prompt.session, project=prompt.project)
        found = store.notes_for_prompt(prompt.text, Query(project=prompt.project)) if limit else ()
        return tuple(note for note in found if note.id not in seen)[:limit]


def without_secrets(text: str) -> str:
    """Returns a prompt's text without private parts and likely secrets, as events may send it."""
    from modicum.memory.redact import redact

    return redact(text)


def finish_session(memory: Memory, project: str, session: str) -> None:
    """Ends a session at its end event, if the memory exists."""
    if session and (memory.is_shared or os.path.exists(memory.place)):
        with _store(memory) as store:
            end_session(store, session, project=project)


def end_session(store: "Store", session: str, summary: str = "", *, project: str = "") -> "Session | None":
    """Ends a session at its end event and returns the session; None if there is no such session.

    Without a summary it keeps the one that it has; if it has none, the one that was saved as a note becomes it.
    """
    known = store.session(session)
    if known is None:
        return None
    if not summary.strip() and not known.summary:
        summary = _noted_summary(store, project or known.project, known.started_at)
    return store.end_session(session, summary)


def _noted_summary(store: "Store", project: str, since: str) -> str:
    """The summary that was saved as a note, unless it is personal: others read the summaries of sessions."""
    from modicum.memory.model import PERSONAL, SESSION_SUMMARY, Query

    notes = store.recent(Query(project=project, type=SESSION_SUMMARY, since=since, limit=_SEARCHED)).items
    return next((note.content for note in notes if note.scope != PERSONAL), "")


def capture(memory: Memory, project: str, session: str, text: str) -> int:
    """Saves the learnings from the last message of a sub-agent that stopped; returns how many are new."""
    from modicum.memory.learnings import learnings

    if not learnings(text):
        return 0
    with _store(memory) as store:
        return len(store.capture(text, project=project, session_id=session, source=SOURCE).saved)


def last_message(path: str) -> str:
    """Returns the agent's last message in a transcript file for a session event; "" if unreadable."""
    return next(filter(None, map(_said, reversed(_tail(path).splitlines()))), "")


def last_input_tokens(path: str) -> int:
    """Returns how many tokens the last answer in a transcript had as its input, for a session event; 0 if unknown."""
    _, found, rest = _tail(path).rpartition('"tokens":{"input":')
    number = rest[:12].partition(",")[0]
    return int(number) if found and number.isascii() and number.isdigit() else 0


def _tail(path: str) -> str:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            return file.read(_TAIL_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _said(line: str) -> str:
    import json

    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    message = entry.get("message", entry) if isinstance(entry, dict) else {}
    if not isinstance(message, dict) or message.get("role", entry.get("type")) != "assistant":
        return ""
    return _text_of(message.get("content"))


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    parts: Sequence[object] = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


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
