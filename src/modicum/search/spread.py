"""Spreads the best hits of a search over sessions, where many turns answer together. Pure."""

from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace

from modicum.search.rank import Hit
from modicum.search.terms import Trait

COMPARED = 80  # hits among which the next is chosen
SPREAD = 35  # hits that are chosen so: a page of 1,000 tokens
AGAIN = 0.03  # what each earlier hit of the same session takes from a score


def spread(hits: Sequence[Hit]) -> list[Hit]:
    """Returns the hits with the best of them spread over sessions: turns of one session do not crowd out others."""
    compared, taken = hits[:COMPARED], dict[str | int, int]()
    sessions = [_session(hit) for hit in compared]
    waiting = [(-hit.score, at) for at, hit in enumerate(compared)]
    heapify(waiting)
    chosen: list[int] = []
    while waiting and len(chosen) < SPREAD:
        last, at = waiting[0]
        now = AGAIN * taken.get(sessions[at], 0) - compared[at].score
        if now > last:  # others of its session came since it was weighed
            heapreplace(waiting, (now, at))
        else:
            heappop(waiting)
            chosen.append(at)
            taken[sessions[at]] = taken.get(sessions[at], 0) + 1
    left = sorted(set(range(len(compared))).difference(chosen))
    return [*(compared[at] for at in (*chosen, *left)), *hits[COMPARED:]]


def _session(hit: Hit) -> str | int:
    """Returns the session of a turn; a note with a title stands by itself."""
    candidate = hit.place.candidate if hit.place else None
    if candidate is None or candidate.traits & Trait.TITLED:
        return hit.id
    return candidate.session or hit.id
