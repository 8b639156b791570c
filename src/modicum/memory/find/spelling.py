"""Words of a question that nobody wrote: what may have been meant instead."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from modicum.base.value import replace
from modicum.memory.engines.database import FullText, Transaction
from modicum.search.question import Term
from modicum.search.terms import near, one_slip_from, stem

IsSeen = Callable[[str, int], bool]  # whether a stem with such a frequency is in a note that may be seen

RESPELT_WEIGHT = 0.7
MOST_RESPELT = 6  # words; each is a walk through a part of the vocabulary
COMPLETIONS = 3
MOST_BEGINNING = 200
MOST_LIKELY = 12  # of those, the most frequent: whether one may be seen is a question of its own
SHORTEST_BEGINNING = 3
SHORTEST_RESPELT = 5
SLIPS = 2
MOST_NEAR = 20  # of the nearest, those that are still in some note


def respell(
    tx: Transaction, words: FullText, terms: Sequence[Term], frequencies: dict[str, int], is_seen: IsSeen
) -> tuple[Term, ...]:
    """The terms, each unknown one replaced by known ones that may be seen; their frequencies are added."""
    unknown = [term for term in terms if term.stem not in frequencies][:MOST_RESPELT]
    meant = {term.stem: _meant(tx, words, term, is_seen) for term in unknown}
    for found in meant.values():
        frequencies |= found
    expanded = (term for each in terms for term in _instead(each, meant.get(each.stem, {})))
    return tuple({term.stem: term for term in expanded}.values())


def _instead(term: Term, meant: dict[str, int]) -> Iterator[Term]:
    if not meant:
        yield term
    for other in meant:
        yield replace(term, stem=other, word=other, weight=term.weight * RESPELT_WEIGHT)


def _meant(tx: Transaction, words: FullText, term: Term, is_seen: IsSeen) -> dict[str, int]:
    """Words that begin with it, or else the most frequent of those that are nearest to it."""
    if len(term.word) < SHORTEST_BEGINNING and term.word.isascii():
        return {}
    beginning = words.beginning(tx, term.word, MOST_BEGINNING)
    longer = sorted(beginning.items(), key=lambda pair: -pair[1])[:MOST_LIKELY]
    if completed := dict(islice((pair for pair in longer if is_seen(*pair)), COMPLETIONS)):
        return completed
    length, letters = len(term.stem), set(term.stem)
    if length < SHORTEST_RESPELT:
        return {}
    alike = words.alike(tx, term.stem[0], length - SLIPS, length + SLIPS)
    # A slip changes the letters of a word by one or none; comparing letters is much cheaper than comparing words.
    likely = [other for other in alike if len(letters ^ set(other)) <= SLIPS]
    nearest = near(term.stem, likely)[:MOST_NEAR]
    known = words.frequencies(tx, nearest)
    near_by = (each for each in nearest if each in known and is_seen(each, known[each]))
    best = max(islice(near_by, COMPLETIONS), key=known.__getitem__, default="")
    return {best: known[best]} if best else _without_slip(tx, words, term, is_seen)


def _without_slip(tx: Transaction, words: FullText, term: Term, is_seen: IsSeen) -> dict[str, int]:
    """The most frequent word that is one slip away: a slip in an ending leaves a stem that is near to none."""
    known = words.frequencies(tx, sorted({stem(word) for word in one_slip_from(term.word)}))
    often = sorted(known.items(), key=lambda pair: (-pair[1], pair[0]))
    return dict(islice((pair for pair in often if is_seen(*pair)), 1))
