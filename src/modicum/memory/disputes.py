"""Disputes between notes: which of those that were found counts more, and what a page says of the other. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from modicum.memory.model import REPLACES, Relation, SearchHit
from modicum.memory.origins import outranks

CONTRADICTS, SUPERSEDES = "contradicts", "supersedes"
# What a page says of a note that another one takes the place of: as somebody said, or as memory itself thinks.
REPLACED = {SUPERSEDES: "{} supersedes it", REPLACES: "{} seems to replace it"}
EQUAL = 0.1  # of the best score: what differs by less answers a question as well
ALIKE = 0.5  # of their words: two such notes may be one fact, then and now

Names = Callable[[Iterable[int]], Mapping[int, str]]


def ranked(
    hits: Sequence[SearchHit], relations: Sequence[Relation], names: Names
) -> tuple[tuple[SearchHit, ...], dict[int, str]]:
    """Returns hits with the note that counts more before the one that it disputes, and remarks for those that count less.

    A note disputes another if it supersedes, replaces or contradicts it, or if both have the same topic. What was said
    later comes before what takes its place, and a person's note before an agent's. Of two that say nearly the same words
    and answer the question as well, the newer comes first.
    """
    order = _newer_first(hits)
    by_id = {hit.note.id: hit for hit in hits}
    remarks = replaced(relations, names)
    for one, other in dict.fromkeys((*_related(relations), *_of_one_topic(hits))):
        if one not in by_id or other not in by_id:
            continue
        first, second = by_id[one].note, by_id[other].note
        if outranks(second.origin, first.origin):
            first, second = second, first
            remarks.pop(first.id, None)
        if outranks(first.origin, second.origin):
            remarks[second.id] = f"a person says otherwise: {first.public_id}"
        if second.id in remarks:
            _put_before(order, first.id, second.id)
    return tuple(by_id[number] for number in order), remarks


def replaced(relations: Iterable[Relation], names: Names) -> dict[int, str]:
    """Returns what to say of the notes that others take the place of in a dispute, by their ids."""
    found = {edge.to_id: edge for edge in relations if edge.type in REPLACED}
    named = names(edge.from_id for edge in found.values()) if found else {}
    return {number: REPLACED[edge.type].format(named[edge.from_id]) for number, edge in found.items()}


def _put_before(order: list[int], one: int, other: int) -> None:
    if order.index(one) > order.index(other):
        order.remove(one)
        order.insert(order.index(other), one)


def _newer_first(hits: Sequence[SearchHit]) -> list[int]:
    """The ids of hits in order; of two with nearly the same words, of which none answers much better, the newer first."""
    order = [hit.note.id for hit in hits]
    best = max((hit.score for hit in hits), default=0.0)
    words = {hit.note.id: frozenset(f"{hit.note.title} {hit.note.content}".lower().split()) for hit in hits}
    for at, later in enumerate(hits):
        for hit in hits[:at]:
            is_newer = later.note.created_at > hit.note.created_at and later.nearby == hit.nearby
            if (
                is_newer
                and abs(hit.score - later.score) <= EQUAL * best
                and _are_alike(words[hit.note.id], words[later.note.id])
            ):
                _put_before(order, later.note.id, hit.note.id)
    return order


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)


def _related(relations: Iterable[Relation]) -> list[tuple[int, int]]:
    return [(edge.from_id, edge.to_id) for edge in relations if edge.type in (CONTRADICTS, *REPLACED)]


def _of_one_topic(hits: Sequence[SearchHit]) -> list[tuple[int, int]]:
    topics: dict[tuple[str, str], list[int]] = {}
    for hit in hits:
        if hit.note.topic_key:
            topics.setdefault((hit.note.project, hit.note.topic_key), []).append(hit.note.id)
    return [(some[0], other) for some in topics.values() for other in some[1:]]
