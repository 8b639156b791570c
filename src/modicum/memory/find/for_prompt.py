"""Finds the notes that help with a prompt: those that share words with it. A small search, for a hook at every prompt."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from itertools import accumulate

from modicum.base.value import replace
from modicum.memory.brief.lines import BriefNote
from modicum.memory.engines.database import Frequencies, Match, SearchBounds, Transaction
from modicum.memory.filters.model import normal
from modicum.memory.find.candidates import LATEST, candidates
from modicum.memory.find.index import marks_asked
from modicum.memory.find.likeness import NO_MODEL, Near, with_likeness
from modicum.memory.model import Query
from modicum.memory.names import storable
from modicum.memory.origins import rights_of
from modicum.memory.tables.sql import condition, id_list, select
from modicum.search.question import Question, parse_question
from modicum.search.rank import Collection, is_low, rank
from modicum.search.word_lists import EMPTY_WORDS

LONGEST_PROMPT = 4_000  # characters that are searched for
SHARED = 2  # words that a note must share with a prompt, if the prompt has more than these
COMPARED = 24  # notes that are ranked: of more, the first few were the same in the benchmark
MOST_TERMS = 40
RAREST = 12


def notes_for_prompt(
    tx: Transaction, text: str, query: Query, *, today: str, near: Near = NO_MODEL
) -> tuple[BriefNote, ...]:
    """Returns the notes that share enough words with a prompt to be about the same thing, best first; those of scripts are last.

    A search looks at more: at words spelt otherwise, at parts of words, and at what stands beside a hit. None of these
    shares a word with the prompt.
    """
    query, question = normal(query), _question(text, today)
    counts = tx.words.frequencies(tx, [term.stem for term in question.terms])
    frequencies = Frequencies(counts, tx.words.totals(tx))
    numbers = _sharing(tx, question, query, frequencies)
    return _in_order(tx, question, query, frequencies, numbers, near) if numbers else ()


def _question(text: str, today: str) -> Question:
    """A search for "to be or not" looks for these words; a prompt that has no others is about nothing."""
    question = parse_question(
        storable(text[:LONGEST_PROMPT]), today=date.fromisoformat(today), is_prompt=True
    )
    telling = [term for term in question.terms if term.word not in EMPTY_WORDS]
    return replace(question, terms=tuple(telling[:MOST_TERMS]))


def _sharing(tx: Transaction, question: Question, query: Query, frequencies: Frequencies) -> list[int]:
    least = min(SHARED, len(question.terms))
    stems = _telling(frequencies.stems, tx.words.comparable)
    if len(stems) < max(1, least):
        return []
    alone, pairs = (stems, ()) if least == 1 else ((), stems)
    match = Match(alone, (), marks_asked(query), pairs)
    within = SearchBounds(tx.rows(LATEST)[0][0], query.since, query.until, query.project)
    return tx.words.best(tx, match, within, frequencies, COMPARED)


def _telling(counts: dict[str, int], most: int) -> tuple[str, ...]:
    """The rarest words that some note has: so many that what has them can be compared in time, and two in any case."""
    rarest = sorted(counts, key=lambda stem: (counts[stem], stem))[:RAREST]
    some = bisect_right(list(accumulate(counts[stem] for stem in rarest)), most)
    return tuple(rarest[: max(SHARED, some)])


def _in_order(
    tx: Transaction,
    question: Question,
    query: Query,
    frequencies: Frequencies,
    numbers: Sequence[int],
    near: Near,
) -> tuple[BriefNote, ...]:
    found = candidates(tx, numbers, (), question, {})
    alike = near(tx, question.text, query, {each.author or each.speaker for each in found}, max(numbers))
    counts, totals = frequencies
    collection = Collection(max(1, totals.passages), totals.usual_length, counts)
    hits = rank(question, [with_likeness(each, alike) for each in found], collection)
    where = condition(query, always=(f"id IN {id_list(numbers)}",))
    columns = ("id", "type", "title", "public_id", "origin", "pinned_by", "created_at")
    rows = tx.rows(select(columns, "notes", "WHERE", where.text), where.values)
    notes = {row[0]: BriefNote(*row) for row in rows}
    best = [notes[hit.id] for hit in hits if hit.id in notes and not is_low(hit)]
    return tuple(sorted(best, key=lambda note: not rights_of(note.origin).leads))
