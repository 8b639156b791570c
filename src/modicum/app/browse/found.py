"""Finds notes for a list in which one looks around: the words marked, and the reasons for each hit."""

from typing import NamedTuple

from modicum.memory.blocks import title_of
from modicum.memory.model import Note, Query
from modicum.memory.store import Store
from modicum.search.marking import AskedWords, MarkedPiece, asked_words, marked
from modicum.text.answering import best_sentence
from modicum.text.snippets import snippet

LINE = 200  # characters of a note's text in the list
MOST_REASONS = 3


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


def find_notes(store: Store, question: str, query: Query) -> FoundNotes:
    """Finds notes for a list: those that answer a question, best first; without one, the newest first."""
    found = store.search(question, query)
    asked = asked_words(question)
    items = (
        _found(hit.note, asked, hit.reasons[:MOST_REASONS] if question.strip() else ()) for hit in found.items
    )
    return FoundNotes(tuple(items), found.total, found.next)


def _found(note: Note, asked: AskedWords, reasons: tuple[str, ...]) -> FoundNote:
    text = best_sentence(note.content, asked.stems) if asked.stems else note.content
    return FoundNote(note, marked(title_of(note), asked), marked(snippet(text, LINE), asked), reasons)
