"""Recall of memory as lists for readers: recent notes, search results, the timeline around a note."""

from typing import NamedTuple

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import ItemList
from modicum.app.answer.cursor import mark, read_cursor
from modicum.base.errors import WrongUsage
from modicum.engine.page import Detail, Order
from modicum.memory.disputes import ranked, replaced
from modicum.memory.model import GLOBAL, Context, Note, Query, SearchHit
from modicum.memory.names import project_name
from modicum.memory.origins import rights_of
from modicum.memory.sections import (
    context_names,
    note_key,
    note_names,
    prompt_key,
    recall_sections,
    search_sections,
    session_key,
    timeline_sections,
    title_of,
)
from modicum.memory.store import Store

MOST_ITEMS = 500
RECENT_ITEMS = 20
SEARCH_ITEMS = 10
GLOBAL_ITEMS = 20

Facts = dict[str, object]


class RecallCounts(NamedTuple):
    """The numbers of sessions, prompts and pinned notes that a recall shows beside recent notes."""

    sessions: int = 5
    prompts: int = 10
    pinned: int = 20


def usual_counts(amount: Amount) -> RecallCounts:
    """Returns the usual counts of a recall for an amount: a summary shows no prompts."""
    return RecallCounts(prompts=0) if amount.detail is Detail.SUMMARY else RecallCounts()


def recall(store: Store, query: Query, amount: Amount, counts: RecallCounts | None = None) -> ItemList:
    """Recalls what a new session should know: pinned and newest notes, sessions, prompts.

    A limit below zero in the query leaves out all notes but the pinned ones.
    """
    counts = counts or usual_counts(amount)
    stamp = mark(repr(("recall", query._replace(limit=0, cursor=""), counts)))
    cursor = read_cursor(amount.cursor, stamp)
    size = 0 if query.limit < 0 else cursor.size or min(amount.items(RECENT_ITEMS), MOST_ITEMS)
    around = store.context(query._replace(limit=0, cursor=""), **counts._asdict())
    around = around._replace(everywhere=_from_elsewhere(store, query) if size else ())
    pins = frozenset(note.id for note in around.pinned)
    recent = store.recent(query._replace(limit=size, cursor=cursor.start))
    notes = tuple(note for note in recent.items if note.id not in pins)
    notes = tuple(sorted(notes, key=lambda note: not rights_of(note.origin).leads))
    beside = around._replace(notes=notes) if not cursor.start else Context((), (), notes, (), ())
    total = (store.count(query) if size else len(pins)) + _beside(around)
    return ItemList(
        recall_sections(beside, replaced(store.disputes(_numbers(beside)), store.names)),
        total,
        stamp=stamp,
        size=size,
        behind=recent.next,
        facts=context_facts(beside),
    )


def _numbers(shown: Context) -> list[int]:
    return [note.id for note in (*shown.pinned, *shown.notes, *shown.everywhere)]


def _beside(around: Context) -> int:
    return len(around.everywhere) + len(around.sessions) + len(around.prompts)


def search(store: Store, text: str, query: Query, amount: Amount) -> ItemList:
    """Recalls the notes that answer a plain question, as a list of which the best are shown whole first."""
    if not text.strip():
        raise WrongUsage("there is nothing to look for", remedy="say what to look for, as a question")
    stamp = mark(repr(("search", text, query._replace(limit=0, cursor=""))))
    cursor = read_cursor(amount.cursor, stamp)
    size = cursor.size or min(amount.items(SEARCH_ITEMS), MOST_ITEMS)
    found = store.search(
        text, query._replace(limit=size, cursor=cursor.start, everywhere=_looks_elsewhere(query))
    )
    hits, remarks = ranked(found.items, store.disputes([hit.note.id for hit in found.items]), store.names)
    names = note_names(hit.note for hit in hits)
    facts = {note_key(names[hit.note.id]): note_facts(hit.note) | _hit_facts(hit) for hit in hits}
    return ItemList(
        search_sections(hits, text, remarks), found.total, Order.DEPTH, stamp, size, found.next, facts=facts
    )


def timeline(store: Store, number: int, amount: Amount, *, before: int = 5, after: int = 5) -> ItemList:
    """Recalls a note among its neighbours in the session, as a list in which the nearest matter most."""
    found = store.timeline(number, before=min(before, MOST_ITEMS), after=min(after, MOST_ITEMS))
    notes = (*found.before, found.focus, *found.after)
    stamp = mark(repr(("timeline", number, before, after)))
    read_cursor(amount.cursor, stamp)
    names = note_names(notes)
    facts = {note_key(names[note.id]): note_facts(note) for note in notes}
    return ItemList(timeline_sections(found), len(notes), stamp=stamp, facts=facts)


def _looks_elsewhere(query: Query) -> bool:
    """Returns whether global notes of other projects count: not if a scope or session was named."""
    return bool(query.project) and not query.scope and not query.session


def _from_elsewhere(store: Store, query: Query) -> tuple[Note, ...]:
    if not _looks_elsewhere(query):
        return ()
    wide = query._replace(project="", scope=GLOBAL, limit=GLOBAL_ITEMS, cursor="")
    here = project_name(query.project)
    return tuple(note for note in store.recent(wide).items if note.project != here)


# What programs are told of items beside the text.


def context_facts(found: Context) -> dict[str, Facts]:
    """Returns what programs are told of each item of a recall, beside its text."""
    names = context_names(found)
    notes = (*found.pinned, *found.notes, *found.everywhere)
    facts = {note_key(names[note.id]): note_facts(note) for note in notes}
    for session in found.sessions:
        facts[session_key(session)] = {"date": session.started_at, "project": session.project}
    for prompt in found.prompts:
        facts[prompt_key(prompt)] = {"date": prompt.created_at, "project": prompt.project}
    return facts


def note_facts(note: Note) -> Facts:
    """Returns what a recall hands over of a note beside its text."""
    told = {"title": title_of(note), "type": note.type, "date": note.created_at, "project": note.project}
    return {"number": note.id, **told, **({"origin": note.origin} if note.origin else {})}


def _hit_facts(hit: SearchHit) -> Facts:
    return {"score": hit.score, "why": "; ".join(hit.reasons), "nearby": hit.nearby}
