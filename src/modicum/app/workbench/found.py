"""Finds notes for a list in which one looks around: the words marked, and the reasons for each hit."""

from enum import StrEnum
from typing import NamedTuple

from modicum.app.answer.cursor import Cursor, mark, next_batch, read_cursor, write_cursor
from modicum.memory.model import Note, Query, Refused
from modicum.memory.sections import title_of
from modicum.memory.store import Store
from modicum.search.marking import AskedWords, MarkedPiece, asked_words, marked
from modicum.text.answering import best_sentence
from modicum.text.snippets import snippet

MOST_READ = 1_000  # notes in another state than usual that a list knows of, the latest
LINE = 200  # characters of a note's text in the list
MOST_REASONS = 3


class NoteState(StrEnum):
    """Which notes are found for a person who browses: all that are there, or those in one state."""

    ALL = ""
    PINNED = "pinned"
    INBOX = "inbox"
    DELETED = "deleted"


class FoundNote(NamedTuple):
    """A note that was found for a list to browse: its title and a line of text with marked words, and why it was found."""

    note: Note
    title: tuple[MarkedPiece, ...]
    line: tuple[MarkedPiece, ...]
    reasons: tuple[str, ...] = ()


class FoundNotes(NamedTuple):
    """A page of the notes that were found for browsing: `total` is how many in all, `next` the cursor of the next page."""

    items: tuple[FoundNote, ...]
    total: int
    next: str


def parse_state(word: str) -> NoteState:
    """Returns the state of notes by which somebody narrows what the workbench found, from a word."""
    try:
        return NoteState(word.strip().lower())
    except ValueError:
        states = ", ".join(filter(None, NoteState))
        raise Refused(f'there is no state "{word[:60]}"', remedy=f"give one of: {states}") from None


def find_notes(store: Store, question: str, query: Query, state: NoteState = NoteState.ALL) -> FoundNotes:
    """Finds notes for a list to browse: those that answer a question, best first; without one, the newest first.

    In another state than usual they must have all words of the question. The cursor of the query is that of a page.
    """
    stamp = mark(repr((question, query._replace(cursor="", limit=0), state)))
    place = read_cursor(query.cursor, stamp)
    if state:
        return _in_state(store, question, query, state, place._replace(stamp=stamp))
    found = store.search(question, query._replace(cursor=place.start))
    asked = asked_words(question)
    items = (
        _found(hit.note, asked, hit.reasons[:MOST_REASONS] if question.strip() else ()) for hit in found.items
    )
    return FoundNotes(tuple(items), found.total, next_batch(place, len(found.items), stamp, found.next))


def _in_state(store: Store, question: str, query: Query, state: NoteState, place: Cursor) -> FoundNotes:
    """Lists what the index of the search does not know."""
    words, asked = question.casefold().split(), asked_words(question)
    listed = _listed(store, state, query._replace(limit=MOST_READ, cursor=""))
    fitting = [
        note for note in listed if all(word in f"{note.title}\n{note.content}".casefold() for word in words)
    ]
    end = place.done + query.limit
    items = tuple(_found(note, asked, ()) for note in fitting[place.done : end])
    following = write_cursor(place._replace(shown=end, done=end)) if end < len(fitting) else ""
    return FoundNotes(items, len(fitting), following)


def _listed(store: Store, state: NoteState, query: Query) -> tuple[Note, ...]:
    if state is NoteState.INBOX:
        return tuple(each.note for each in store.inbox(query).items)
    return (store.pinned(query) if state is NoteState.PINNED else store.deleted(query)).items


def _found(note: Note, asked: AskedWords, reasons: tuple[str, ...]) -> FoundNote:
    text = best_sentence(note.content, asked.stems) if asked.stems else note.content
    return FoundNote(note, marked(title_of(note), asked), marked(snippet(text, LINE), asked), reasons)
