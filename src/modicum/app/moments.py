"""What happens to memory at the moments of a session that an agent tells of. Opens the store only where it must write."""

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from modicum.memory.lines import Noted, Recalled
from modicum.memory.names import project_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modicum.memory.store import Store

FILE = "memory.db"
SOURCE = "subagent-stop"
_TAIL_BYTES = 262_144  # of a transcript: the last message is near its end
_SHARED = 2  # words that a note must share with a prompt, if the prompt has more than these
_LONGEST_PROMPT = 4_000  # characters that are searched for
_SEARCHED = 12


def project_of(root: str) -> str:
    """The name of the project in a folder, as memory keeps it."""
    return project_name(os.path.basename(root))  # noqa: PTH119


def recalled(data: str, project: str, limit: int) -> Recalled:
    """What memory has for a session that begins. Reads only, and fast."""
    from modicum.memory.glance import glance

    return glance(f"{data}/{FILE}", project, limit=limit)


class Prompted(NamedTuple):
    """What a user typed, and where."""

    project: str
    session: str
    folder: str
    text: str


def submit(data: str, prompt: Prompted, seen: frozenset[int], limit: int) -> tuple[Noted, ...]:
    """Keep what a user typed, without secrets, and find the notes that it calls for and that were not seen yet.

    The session begins with it.
    """
    with _store(data) as store:
        store.start_session(prompt.session, project=prompt.project, directory=prompt.folder)
        store.add_prompt(prompt.text, session_id=prompt.session, project=prompt.project)
        return _called_for(store, prompt, seen)[:limit] if limit else ()


def _called_for(store: "Store", prompt: Prompted, seen: frozenset[int]) -> tuple[Noted, ...]:
    from modicum.memory.model import Query
    from modicum.question import parse_question

    words = prompt.text[:_LONGEST_PROMPT]
    terms = {term.stem for term in parse_question(words).terms}
    if not terms:
        return ()
    hits = store.search(words, Query(project=prompt.project, limit=_SEARCHED)).items
    found = [hit.observation for hit in hits if not hit.nearby and hit.observation.id not in seen]
    close = [note for note in found if shares(terms, f"{note.title}\n{note.content}")]
    return tuple(Noted(note.id, note.type, note.title) for note in close)


def shares(terms: set[str], text: str) -> bool:
    """Whether a text has enough of the words to be about the same thing."""
    from modicum.terms import stems

    return len(terms & set(stems(text[: 4 * _LONGEST_PROMPT]))) >= min(_SHARED, len(terms))


def finish_session(data: str, project: str, session: str) -> None:
    """End a session. The summary that it has is kept; if it has none, the one that was saved as a note becomes it."""
    if not session or not os.path.exists(f"{data}/{FILE}"):  # noqa: PTH110
        return
    with _store(data) as store:
        known = store.session(session)
        if known is not None:
            summary = "" if known.summary else _noted_summary(store, project, known.started_at)
            store.end_session(session, summary)


def _noted_summary(store: "Store", project: str, since: str) -> str:
    from modicum.memory.model import SESSION_SUMMARY, Query

    notes = store.recent(Query(project=project, type=SESSION_SUMMARY, since=since, limit=1)).items
    return notes[0].content if notes else ""


def capture(data: str, project: str, session: str, text: str) -> int:
    """Keep the learnings that a sub-agent lists in its last message, and tell how many there were."""
    from modicum.memory.learnings import learnings

    if not learnings(text):
        return 0
    with _store(data) as store:
        return len(store.capture(text, project=project, session_id=session, source=SOURCE).saved)


def last_message(path: str) -> str:
    """The last thing that an agent said in a transcript of one JSON object a line; nothing if it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            lines = file.read(_TAIL_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next(filter(None, map(_said, reversed(lines))), "")


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
def _store(data: str) -> "Iterator[Store]":
    from modicum.memory.sqlite import SqliteDatabase
    from modicum.memory.store import Store

    store = Store(SqliteDatabase(f"{data}/{FILE}"))
    try:
        yield store
    finally:
        store.close()
