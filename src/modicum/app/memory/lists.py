"""Lists of notes, sessions, prompts and projects as sections, some items at a time."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from modicum.engine.page import Block, Detail, Section
from modicum.memory.blocks import note_key, prompt_key, recall_sections, session_key
from modicum.memory.model import Context, Listing, Note, ProjectStats, Prompt, Query, Refused, Session
from modicum.memory.names import project_name
from modicum.memory.store import Store

Item = TypeVar("Item")
Facts = Mapping[str, object]


class ListBatch(NamedTuple):
    """Some items of a list: as sections, by key, how many the whole list has, and where to go on.

    `after(n)` returns the cursor behind the first n of them; an empty text at the end of the list.
    """

    sections: tuple[Section, ...]
    facts: Mapping[str, Facts]  # of each item, in the order of the list
    total: int
    after: Callable[[int], str]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.facts)


ReadBatch = Callable[[str, int], ListBatch]  # from a cursor on, so many items
_Fetch = Callable[[Query], Listing[Item]]


def list_notes(store: Store, query: Query) -> ReadBatch:
    """The notes that a query asks for, the newest first."""

    def read(cursor: str, limit: int) -> ListBatch:
        found = store.recent(query._replace(limit=limit, cursor=cursor))
        facts = {note_key(each.id): _note_facts(each) for each in found.items}
        sections = recall_sections(Context((), (), found.items))
        after = partial(_after, store.recent, query, cursor, found)
        return ListBatch(sections, facts, store.count(query), after)

    return read


def list_sessions(store: Store, project: str = "") -> ReadBatch:
    """Sessions, the one with the latest activity first."""
    query = Query(project=project)

    def read(cursor: str, limit: int) -> ListBatch:
        found = store.sessions(query._replace(limit=limit, cursor=cursor))
        facts: dict[str, Facts] = {session_key(each): _session_facts(each) for each in found.items}
        total = sum(each.sessions for each in _projects(store, project))
        after = partial(_after, store.sessions, query, cursor, found)
        return ListBatch(recall_sections(Context(found.items, (), ())), facts, total, after)

    return read


def list_prompts(store: Store, project: str = "") -> ReadBatch:
    """Prompts, the newest first."""
    query = Query(project=project)

    def read(cursor: str, limit: int) -> ListBatch:
        found = store.prompts(query._replace(limit=limit, cursor=cursor))
        facts: dict[str, Facts] = {prompt_key(each): _prompt_facts(each) for each in found.items}
        total = sum(each.prompts for each in _projects(store, project))
        after = partial(_after, store.prompts, query, cursor, found)
        return ListBatch(recall_sections(Context((), found.items, ())), facts, total, after)

    return read


def list_projects(store: Store) -> ReadBatch:
    """Projects, the one with the most notes first."""

    def read(cursor: str, limit: int) -> ListBatch:
        projects = store.projects()
        start = _offset(cursor)
        some = projects[start : start + limit]
        facts: dict[str, Facts] = {f"project:{each.name}": {"date": each.latest_at} for each in some}

        def after(number: int) -> str:
            return f"{start + number:02}" if start + number < len(projects) else ""

        section = Section(tuple(map(_project, some)), gap="\n")
        return ListBatch((section,) if some else (), facts, len(projects), after)

    return read


def _after(fetch: _Fetch[Item], query: Query, cursor: str, found: Listing[Item], number: int) -> str:
    if number >= len(found.items):
        return found.next
    return fetch(query._replace(limit=number, cursor=cursor)).next


def _offset(cursor: str) -> int:
    if cursor and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise Refused("the cursor is not of this list", remedy="leave it out to begin at the first page")
    return int(cursor or 0)


def _projects(store: Store, project: str) -> Sequence[ProjectStats]:
    wanted = project_name(project)
    return [each for each in store.projects() if wanted in ("", each.name)]


def _project(found: ProjectStats) -> Block:
    line = f"- {found.name or '(no project)'}"
    counts = f"{found.notes} notes, {found.sessions} sessions, {found.prompts} prompts"
    return Block(
        f"project:{found.name}",
        {Detail.SUMMARY: line, Detail.STANDARD: f"{line}: {counts}, {found.latest_at[:10]}"},
    )


def _note_facts(note: Note) -> Facts:
    return {"title": note.title, "type": note.type, "date": note.created_at}


def _session_facts(session: Session) -> Facts:
    return {"date": session.started_at}


def _prompt_facts(prompt: Prompt) -> Facts:
    return {"date": prompt.created_at}
