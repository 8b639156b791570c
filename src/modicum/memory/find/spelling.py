"""Corrects the spelling of a search: replaces words of a question that no note has by similar ones."""

from collections.abc import Iterator, Sequence
from itertools import islice

from modicum.base.value import replace
from modicum.memory.engines.database import Transaction
from modicum.search.question import Term
from modicum.search.terms import LONGEST_RESPELT, near, one_slip_from, slips_allowed, stem

RESPELT_WEIGHT = 0.7
MOST_RESPELT = 6  # words; each is a walk through a part of the vocabulary
COMPLETIONS = 3
MOST_BEGINNING = 200
SHORTEST_BEGINNING = 3
SHORTEST_RESPELT = 5
MOST_NEAR = 20  # of the nearest, those that are still in some note


def respell(tx: Transaction, terms: Sequence[Term], frequencies: dict[str, int]) -> tuple[Term, ...]:
    """Corrects the spelling of a search: returns the terms, each unknown one replaced by known ones.

    Adds the frequencies of the known ones to `frequencies`.
    """
    unknown = [term for term in terms if term.stem not in frequencies][:MOST_RESPELT]
    meant = {term.stem: _meant(tx, term) for term in unknown}
    for known in meant.values():
        frequencies |= known
    expanded = (term for each in terms for term in _instead(each, meant.get(each.stem, {})))
    return tuple({term.stem: term for term in expanded}.values())


def _instead(term: Term, meant: dict[str, int]) -> Iterator[Term]:
    if not meant:
        yield term
    for other in meant:
        yield replace(term, stem=other, word=other, weight=term.weight * RESPELT_WEIGHT)


def _meant(tx: Transaction, term: Term) -> dict[str, int]:
    """Returns words that begin with it, or else the most frequent of those that are nearest to it."""
    if len(term.word) < SHORTEST_BEGINNING and term.word.isascii():
        return {}
    beginning = tx.words.beginning(tx, term.word, MOST_BEGINNING)
    longer = sorted(beginning.items(), key=lambda pair: -pair[1])
    if longer:
        return dict(longer[:COMPLETIONS])
    length, letters = len(term.stem), set(term.stem)
    if not SHORTEST_RESPELT <= length <= LONGEST_RESPELT:
        return {}
    slips = slips_allowed(term.stem)
    alike = tx.words.alike(tx, term.stem[0], length - slips, length + slips)
    # A slip changes the letters of a word by one or none; comparing letters is much cheaper than comparing words.
    likely = [other for other in alike if len(letters.symmetric_difference(other)) <= slips]
    nearest = near(term.stem, likely)[:MOST_NEAR]
    known = tx.words.frequencies(tx, nearest)
    near_by = islice((each for each in nearest if each in known), COMPLETIONS)
    best = max(near_by, key=known.__getitem__, default="")
    return {best: known[best]} if best else _without_slip(tx, term)


def _without_slip(tx: Transaction, term: Term) -> dict[str, int]:
    """Returns the most frequent word that is one slip away: a slip in an ending leaves a stem that is near to none."""
    known = tx.words.frequencies(tx, sorted({stem(word) for word in one_slip_from(term.word)}))
    often = sorted(known.items(), key=lambda pair: (-pair[1], pair[0]))
    return dict(often[:1])
