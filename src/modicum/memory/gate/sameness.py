"""Tells what a new note has to do with one that is there: it says nearly the same, or it replaces it. Pure.

What may be alike is found by keys: hashes of the title, and of words that stand in a row. Of many rows a note keeps the
smallest hashes, so that two notes with most words in common share most of their keys.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from zlib import crc32

from modicum.memory.find.index import audience_of
from modicum.memory.gate.standing import TELLS_STATE
from modicum.memory.model import REPLACES, RESTATES, Note
from modicum.memory.spec_topics import is_spec_note
from modicum.search.terms import fold
from modicum.search.word_lists import STOP_WORDS

MOST_KEYS = 8  # of rows of words; one more is of the title
LONGEST = 4_000  # characters of notes that are compared
FEWEST_STEMS = 3  # a text with fewer different words says too little to say the same
MOST_STEMS = 600  # of a text, of which the keys are made
# A note replaces another if all but two words in a row are the same: so many words, and so many of them before those two.
# Of fewer words, too many pairs in texts of other people were two facts beside each other (bench/keep.py).
SAME_WORDS, BEFORE, CHANGED = 16, 3, 2


def is_compared(note: Note) -> bool:
    """Returns True if a note is one whose sameness with others says something: no summary of a time, no copy of a file."""
    return note.type not in TELLS_STATE and not is_spec_note(note)


def keys_of(note: Note, stems: str) -> tuple[int, ...]:
    """Returns the keys by which sameness of a note with another of the same readers is noticed; `stems` are those of its text.

    Summaries, and what specs keep, have none: they tell of a time or a file each, however alike they are.
    """
    if not is_compared(note):
        return ()
    readers = f"{note.project}\0{audience_of(note)}\0{note.namespace}\0"
    start = crc32(readers.encode(errors="replace"))
    title = crc32(f"title\0{fold(note.title)}".encode(errors="replace"), start)
    rows = {crc32(row.encode(errors="replace"), start) for row in _rows(stems)}
    return (title, *sorted(rows - {title})[:MOST_KEYS])


def _rows(stems: str) -> Iterator[str]:
    words = [stem for stem in stems.split(None, MOST_STEMS)[:MOST_STEMS] if stem not in STOP_WORDS]
    return (f"{one} {other}" for one, other in pairwise(words))


def enough(shared: int, keys: int) -> bool:
    """Returns True if so many shared keys of so many make it worth while to look at the sameness of two notes."""
    return shared >= 2 and 3 * shared >= keys


def relation_to(new: Note, old: Note) -> str:
    """Returns the type of relation by which the sameness of a new note with an old one is told, or nothing."""
    if max(len(new.content), len(old.content)) > LONGEST or not is_compared(old):
        return ""
    if _replaces(new, old):
        return REPLACES
    from modicum.text.alike import alike, wording_of  # few notes are like another: most saves do without

    ours, theirs = wording_of(new.content), wording_of(old.content)
    return RESTATES if len(ours.stems) >= FEWEST_STEMS and alike(ours, theirs) else ""


def _replaces(new: Note, old: Note) -> bool:
    """Whether a note says what another does, but for a word or two in its midst."""
    if fold(new.title) != fold(old.title) and not (_only_begins(new) and _only_begins(old)):
        return False
    ours, theirs = fold(new.content).split(), fold(old.content).split()
    before = _equal(ours, theirs)
    room = min(len(ours), len(theirs)) - before
    behind = min(room, _equal(ours[::-1], theirs[::-1]))
    changed = (len(ours) - before - behind, len(theirs) - before - behind)
    is_little = min(changed) > 0 and max(changed) <= CHANGED
    return is_little and before >= BEFORE and before + behind >= SAME_WORDS


def _equal(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two texts begin with."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _only_begins(note: Note) -> bool:
    """Whether the title is no more than how the content begins."""
    title = " ".join(note.title.split()).rstrip("…")
    return " ".join(note.content[: 4 * len(title) + 4].split()).startswith(title)
