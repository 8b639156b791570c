"""Disputes between notes that were found together: which counts more, and what a page says of the other. Pure."""

from collections.abc import Iterable, Sequence

from modicum.memory.model import Relation, SearchHit
from modicum.memory.origins import outranks

CONTRADICTS, SUPERSEDES = "contradicts", "supersedes"
DISPUTING = (CONTRADICTS, SUPERSEDES)


def ranked(
    hits: Sequence[SearchHit], relations: Iterable[Relation]
) -> tuple[tuple[SearchHit, ...], dict[int, str]]:
    """Returns hits with a person's note before the agent's note that it disputes, and remarks for the notes that count less.

    Two notes dispute each other if one contradicts or supersedes the other, or if both have the same topic.
    """
    by_id = {hit.note.id: hit for hit in hits}
    order = [hit.note.id for hit in hits]
    remarks: dict[int, str] = {}
    for one, other in dict.fromkeys((*_related(relations), *_of_one_topic(hits))):
        if one not in by_id or other not in by_id:
            continue
        first, second = by_id[one].note, by_id[other].note
        if outranks(second.origin, first.origin):
            first, second = second, first
        if not outranks(first.origin, second.origin):
            continue
        remarks[second.id] = f"a person says otherwise: {first.public_id}"
        if order.index(first.id) > order.index(second.id):
            order.remove(first.id)
            order.insert(order.index(second.id), first.id)
    return tuple(by_id[number] for number in order), remarks


def _related(relations: Iterable[Relation]) -> list[tuple[int, int]]:
    return [(edge.from_id, edge.to_id) for edge in relations if edge.type in DISPUTING]


def _of_one_topic(hits: Sequence[SearchHit]) -> list[tuple[int, int]]:
    topics: dict[tuple[str, str], list[int]] = {}
    for hit in hits:
        if hit.note.topic_key:
            topics.setdefault((hit.note.project, hit.note.topic_key), []).append(hit.note.id)
    return [(some[0], other) for some in topics.values() for other in some[1:]]
