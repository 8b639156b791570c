"""Lists of notes, sessions, prompts and projects for the doors, read from the store in batches."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import ItemList, list_of
from modicum.app.answer.cursor import mark, read_cursor
from modicum.app.counted import counted
from modicum.app.memory.recall import context_facts, note_facts
from modicum.base.value import replace
from modicum.engine.page import Block, Detail, Section
from modicum.memory.filters.model import ItemKind
from modicum.memory.model import Context, Listing, Note, ProjectStats, Prompt, Query, Session, WaitingNote
from modicum.memory.sections import inbox_sections, note_key, note_names, recall_sections
from modicum.memory.store import Store

LISTED_ITEMS = 50
MOST_ITEMS = 500

Item = TypeVar("Item")
Facts = Mapping[str, object]
ReadItems = Callable[[Amount], ItemList]


def list_notes(store: Store, query: Query) -> ReadItems:
    """Lists the notes of a query for the doors, newest first, in batches from the store."""

    def context(found: tuple[Note, ...]) -> Context:
        return Context((), (), found)

    return partial(_batch, store.recent, query, lambda: store.count(query), context)


def list_inbox(store: Store, query: Query) -> ReadItems:
    """Lists the notes that wait in the inbox for the doors, newest first, in batches from the store."""

    def facts(found: tuple[WaitingNote, ...]) -> dict[str, Facts]:
        names = note_names(each.note for each in found)
        return {note_key(names[each.id]): {**note_facts(each.note), "why": each.reason} for each in found}

    return partial(_read, store.inbox, query, lambda: store.count_inbox(query), inbox_sections, facts)


def list_sessions(store: Store, query: Query) -> ReadItems:
    """Lists the sessions of a query for the doors, latest activity first, in batches."""

    def context(found: tuple[Session, ...]) -> Context:
        return Context(found, (), ())

    total = partial(store.count, query, ItemKind.SESSION)
    return partial(_batch, store.sessions, query, total, context)


def list_prompts(store: Store, query: Query) -> ReadItems:
    """Lists the prompts of a query for the doors, newest first, in batches from the store."""

    def context(found: tuple[Prompt, ...]) -> Context:
        return Context((), found, ())

    total = partial(store.count, query, ItemKind.PROMPT)
    return partial(_batch, store.prompts, query, total, context)


def list_projects(store: Store) -> ReadItems:
    """Lists the projects in memory for the doors, the one with the most notes first, in batches."""

    def read(amount: Amount) -> ItemList:
        projects, shown = store.projects(), store.shown_projects()
        blocks = tuple(_project(each, shown.get(each.name, each.name)) for each in projects)
        facts = {f"project:{each.name}": _project_facts(each) for each in projects}
        return replace(list_of([Section(blocks, gap="\n")] if blocks else []), facts=facts)

    return read


def _batch(
    fetch: Callable[[Query], Listing[Item]],
    query: Query,
    total: Callable[[], int],
    context: Callable[[tuple[Item, ...]], Context],
    amount: Amount,
) -> ItemList:
    def sections(found: tuple[Item, ...]) -> tuple[Section, ...]:
        return recall_sections(context(found))

    return _read(fetch, query, total, sections, lambda found: context_facts(context(found)), amount)


def _read(
    fetch: Callable[[Query], Listing[Item]],
    query: Query,
    total: Callable[[], int],
    sections: Callable[[tuple[Item, ...]], tuple[Section, ...]],
    facts: Callable[[tuple[Item, ...]], Mapping[str, Facts]],
    amount: Amount,
) -> ItemList:
    stamp = mark(repr((fetch.__name__, query)))
    cursor = read_cursor(amount.cursor, stamp)
    size = cursor.size or min(amount.most_items or LISTED_ITEMS, MOST_ITEMS)
    found = fetch(query._replace(limit=size, cursor=cursor.start))
    told = sections(found.items)
    return ItemList(told, total(), stamp=stamp, size=size, behind=found.next, facts=facts(found.items))


def _project_facts(found: ProjectStats) -> Facts:
    counts = {"notes": found.notes, "sessions": found.sessions, "prompts": found.prompts}
    return {"date": found.latest_at, **counts}


def _project(found: ProjectStats, name: str) -> Block:
    line = f"- {name or '(no project)'}"
    counts = ", ".join(
        (counted(found.notes, "note"), counted(found.sessions, "session"), counted(found.prompts, "prompt"))
    )
    return Block(
        f"project:{found.name}",
        {Detail.SUMMARY: line, Detail.STANDARD: f"{line}: {counts}, {found.latest_at[:10]}"},
    )
