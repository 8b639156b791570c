"""Lists of notes, sessions, prompts and projects for the doors, read from the store in batches."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import ItemList, list_of
from modicum.app.answer.cursor import mark, read_cursor
from modicum.base.value import replace
from modicum.engine.page import Block, Detail, Section
from modicum.memory.blocks import note_key, prompt_key, recall_sections, session_key, title_of
from modicum.memory.model import Context, Listing, Note, ProjectStats, Prompt, Query, Session
from modicum.memory.names import project_name
from modicum.memory.store import Store

LISTED_ITEMS = 50
MOST_ITEMS = 500

Item = TypeVar("Item")
Facts = Mapping[str, object]
ReadItems = Callable[[Amount], ItemList]


def list_notes(store: Store, query: Query) -> ReadItems:
    """Lists the notes of a query for the doors, newest first, in batches from the store."""

    def sections(found: Iterable[Note]) -> tuple[Section, ...]:
        return recall_sections(Context((), (), tuple(found)))

    def facts(note: Note) -> tuple[str, Facts]:
        told = {"title": title_of(note), "type": note.type, "date": note.created_at, "project": note.project}
        return note_key(note.id), told

    return partial(_batch, store.recent, query, lambda: store.count(query), sections, facts)


def list_sessions(store: Store, project: str = "") -> ReadItems:
    """Lists the sessions of a project for the doors, latest activity first, in batches."""

    def sections(found: Iterable[Session]) -> tuple[Section, ...]:
        return recall_sections(Context(tuple(found), (), ()))

    def facts(session: Session) -> tuple[str, Facts]:
        return session_key(session), {"date": session.started_at, "project": session.project}

    total = partial(_total, store, project, "sessions")
    return partial(_batch, store.sessions, Query(project=project), total, sections, facts)


def list_prompts(store: Store, project: str = "") -> ReadItems:
    """Lists the prompts of a project for the doors, newest first, in batches from the store."""

    def sections(found: Iterable[Prompt]) -> tuple[Section, ...]:
        return recall_sections(Context((), tuple(found), ()))

    def facts(prompt: Prompt) -> tuple[str, Facts]:
        return prompt_key(prompt), {"date": prompt.created_at, "project": prompt.project}

    total = partial(_total, store, project, "prompts")
    return partial(_batch, store.prompts, Query(project=project), total, sections, facts)


def list_projects(store: Store) -> ReadItems:
    """Lists the projects in memory for the doors, the one with the most notes first, in batches."""

    def read(amount: Amount) -> ItemList:
        projects = store.projects()
        blocks = tuple(map(_project, projects))
        facts: dict[str, Facts] = {f"project:{each.name}": {"date": each.latest_at} for each in projects}
        return replace(list_of([Section(blocks, gap="\n")] if blocks else []), facts=facts)

    return read


def _batch(
    fetch: Callable[[Query], Listing[Item]],
    query: Query,
    total: Callable[[], int],
    sections: Callable[[Iterable[Item]], tuple[Section, ...]],
    facts: Callable[[Item], tuple[str, Facts]],
    amount: Amount,
) -> ItemList:
    stamp = mark(repr((fetch.__name__, query)))
    cursor = read_cursor(amount.cursor, stamp)
    size = cursor.size or min(amount.most_items or LISTED_ITEMS, MOST_ITEMS)
    found = fetch(query._replace(limit=size, cursor=cursor.start))
    return ItemList(
        sections(found.items),
        total(),
        stamp=stamp,
        size=size,
        behind=found.next,
        facts=dict(map(facts, found.items)),
    )


def _total(store: Store, project: str, kind: str) -> int:
    wanted = project_name(project)
    return sum(getattr(each, kind) for each in store.projects() if wanted in ("", each.name))


def _project(found: ProjectStats) -> Block:
    line = f"- {found.name or '(no project)'}"
    counts = f"{found.notes} notes, {found.sessions} sessions, {found.prompts} prompts"
    return Block(
        f"project:{found.name}",
        {Detail.SUMMARY: line, Detail.STANDARD: f"{line}: {counts}, {found.latest_at[:10]}"},
    )
