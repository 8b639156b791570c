"""Finds words of a search that notes write together or apart: "time zone" for "timezone", and the other way."""

from collections.abc import Sequence
from itertools import islice

from modicum.memory.engines.database import Match, SearchBounds, Transaction
from modicum.search.question import Term
from modicum.search.terms import halves, joined, stem

MOST_TERMS = 12  # words that are looked at
MOST_SEARCHES = 4  # ways to write them that are looked for: each is a search


def together(
    tx: Transaction, text: str, terms: Sequence[Term], within: SearchBounds, limit: int
) -> dict[Term, list[int]]:
    """Returns the words of a search that notes write joined with the next one, each with the ids of the newest such notes."""
    pairs = {stem(word): pair for word, pair in islice(joined(text).items(), MOST_TERMS)}
    known = tx.words.frequencies(tx, sorted(pairs)) if pairs else {}
    by_stem = {term.stem: term for term in terms}
    found: dict[Term, list[int]] = {}
    for word in sorted(known, key=known.__getitem__)[:MOST_SEARCHES]:
        numbers = tx.words.newest(tx, Match((word,)), within, limit)
        for term in filter(None, (by_stem.get(stem(part)) for part in pairs[word])):
            found.setdefault(term, []).extend(numbers)
    return found


def apart(tx: Transaction, terms: Sequence[Term], within: SearchBounds, limit: int) -> dict[Term, list[int]]:
    """Returns the words of a search that notes write as two and not joined, each with the ids of the newest such notes."""
    ways = [(term, pair) for term in terms[:MOST_TERMS] for pair in halves(term.word)]
    parts = {part for _, pair in ways for part in pair}
    known = tx.words.frequencies(tx, sorted(parts)) if parts else {}
    likely = [(term, pair) for term, pair in ways if known.keys() >= set(pair)]
    likely.sort(key=lambda way: -min(known[part] for part in way[1]))
    found: dict[Term, list[int]] = {}
    for term, pair in likely[:MOST_SEARCHES]:
        if numbers := tx.words.newest(tx, Match(phrases=(pair,)), within, limit):
            found.setdefault(term, []).extend(numbers)
    return found
