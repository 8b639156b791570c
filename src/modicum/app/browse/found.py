"""Finds notes for a list in which one looks around: the words marked, and the reasons for each hit."""

from enum import StrEnum
from typing import NamedTuple

from modicum.memory.blocks import title_of
from modicum.memory.model import Note, Query, Refused
from modicum.memory.store import Store
from modicum.search.marking import AskedWords, MarkedPiece, asked_words, marked
from modicum.text.answering import best_sentence
from modicum.text.snippets import snippet

MOST_READ = 1_000  # notes in another state than usual that a list knows of, the latest
LINE = 200  # characters of a note's text in the list
MOST_REASONS = 3


class NoteState(StrEnum):
    """Which notes a list is about: all that are there, or those in one state."""

    ALL = ""
    PINNED = "pinned"
    INBOX = "inbox"
    DELETED = "deleted"


class FoundNote(NamedTuple):
    """A note in a list: its title and a line of its text with the words marked, and why it was found."""

    note: Note
    title: tuple[MarkedPiece, ...]
    line: tuple[MarkedPiece, ...]
    reasons: tuple[str, ...] = ()


class FoundNotes(NamedTuple):
    """A page of a list of notes: `total` is how many there are in all, `next` the cursor of the next page."""

    items: tuple[FoundNote, ...]
    total: int
    next: str


def parse_state(word: str) -> NoteState:
    """Returns the state of notes that a list is asked for."""
    try:
        return NoteState(word.strip().lower())
    except ValueError:
        states = ", ".join(filter(None, NoteState))
        raise Refused(f'there is no state "{word[:60]}"', remedy=f"give one of: {states}") from None


def find_notes(store: Store, question: str, query: Query, state: NoteState = NoteState.ALL) -> FoundNotes:
    """Finds notes for a list: those that answer a question, best first; without one, the newest first.

    In another state than usual they must have all words of the question.
    """
    if state:
        return _in_state(store, question, query, state)
    found = store.search(question, query)
    asked = asked_words(question)
    items = (
        _found(hit.note, asked, hit.reasons[:MOST_REASONS] if question.strip() else ()) for hit in found.items
    )
    return FoundNotes(tuple(items), found.total, found.next)


def _in_state(store: Store, question: str, query: Query, state: NoteState) -> FoundNotes:
    """Lists what the index of the search does not know. The cursor is a place in the list."""
    if not (query.cursor or "0").isdecimal():
        raise Refused("the cursor is not of this listing", remedy="leave it out to begin at the first page")
    words, asked = question.casefold().split(), asked_words(question)
    listed = _listed(store, state, query._replace(limit=MOST_READ, cursor=""))
    fitting = [
        note for note in listed if all(word in f"{note.title}\n{note.content}".casefold() for word in words)
    ]
    start = int(query.cursor or 0)
    end = start + query.limit
    items = tuple(_found(note, asked, ()) for note in fitting[start:end])
    return FoundNotes(items, len(fitting), str(end) if end < len(fitting) else "")


def _listed(store: Store, state: NoteState, query: Query) -> tuple[Note, ...]:
    if state is NoteState.INBOX:
        return tuple(each.note for each in store.inbox(query).items)
    return (store.pinned(query) if state is NoteState.PINNED else store.deleted(query)).items


def _found(note: Note, asked: AskedWords, reasons: tuple[str, ...]) -> FoundNote:
    text = best_sentence(note.content, asked.stems) if asked.stems else note.content
    return FoundNote(note, marked(title_of(note), asked), marked(snippet(text, LINE), asked), reasons)
