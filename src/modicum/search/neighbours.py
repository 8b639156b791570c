"""Puts a hit that is there only for its neighbours behind the one of them that has the words. Pure."""

from collections.abc import Callable, Sequence

from modicum.search.rank import Hit

REACH = 2  # notes of a session on each side of a hit


def behind_hits(hits: Sequence[Hit], is_nearby: Callable[[Hit], bool]) -> list[Hit]:
    """Returns the hits in their order, but one that is there for its neighbours comes no sooner than a hit beside it.

    One that waits comes right behind that hit; if there is none such, at the end.
    """
    ordered: list[Hit] = []
    waiting: list[Hit] = []
    told: set[tuple[str, int]] = set()  # places beside a hit that came
    for hit in hits:
        session, place = _spot(hit)
        if not is_nearby(hit):
            told |= {(session, place + step) for step in range(-REACH, REACH + 1)} if session else set()
            ready = [each for each in waiting if _spot(each) in told]
            waiting = [each for each in waiting if each not in ready] if ready else waiting
            ordered += [hit, *ready]
        else:
            (ordered if (session, place) in told else waiting).append(hit)
    return [*ordered, *waiting]


def _spot(hit: Hit) -> tuple[str, int]:
    """Where it stands: a session and the place in it; what is in no session stands beside nothing."""
    candidate = hit.place.candidate if hit.place else None
    return (candidate.session, candidate.position) if candidate and candidate.session else ("", hit.id)
