"""Spreads the best hits of a search over sessions, where many turns answer together. Pure."""

from collections import Counter
from collections.abc import Sequence

from modicum.search.rank import Hit
from modicum.search.terms import Trait

COMPARED = 40  # hits among which the next is chosen
SPREAD = 12  # hits that are chosen so: a first page and a little more
AGAIN = 0.03  # what each earlier hit of the same session takes from a score


def spread(hits: Sequence[Hit]) -> list[Hit]:
    """Returns the hits with the best of them spread over sessions: turns of one session do not crowd out others."""
    left, taken = list(hits[:COMPARED]), Counter[str | int]()
    chosen: list[Hit] = []
    while left and len(chosen) < SPREAD:
        best = max(left, key=lambda hit: hit.score - AGAIN * taken[_session(hit)])
        left.remove(best)
        chosen.append(best)
        taken[_session(best)] += 1
    return [*chosen, *left, *hits[COMPARED:]]


def _session(hit: Hit) -> str | int:
    """Returns the session of a turn; a note with a title stands by itself."""
    candidate = hit.place.candidate if hit.place else None
    if candidate is None or candidate.traits & Trait.TITLED:
        return hit.id
    return candidate.session or hit.id
