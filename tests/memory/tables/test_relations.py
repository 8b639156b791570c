"""Observations are related in a graph without the deleted."""

import pytest

from modicum.memory.model import NoteDraft, NotFound, Refused


@pytest.fixture
def notes(store):
    return [store.save(NoteDraft(title, f"about {title}", project="p")).id for title in "abcdefgh"]


def test_an_edge_is_seen_from_both_ends(store, notes):
    (edge,) = store.relate(notes[0], notes[1], "depends_on", note="by the <private>x</private> way")

    assert (edge.from_id, edge.to_id, edge.type, edge.note) == (
        notes[0],
        notes[1],
        "depends_on",
        "by the [REDACTED] way",
    )
    assert store.relations(notes[0]) == store.relations(notes[1]) == (edge,)
    assert store.relate(notes[1], notes[2])[0].type == "relates_to"
    store.unrelate(edge.id)
    assert store.relations(notes[0]) == ()
    with pytest.raises(NotFound, match="relation"):
        store.unrelate(edge.id)


def test_both_directions_are_two_edges(store, notes):
    forth, back = store.relate(notes[0], notes[1], both=True)

    assert (back.from_id, back.to_id) == (forth.to_id, forth.from_id)


def test_what_makes_no_sense_is_refused(store, notes):
    store.relate(notes[0], notes[1])
    store.delete(notes[7])

    with pytest.raises(Refused, match="itself"):
        store.relate(notes[0], notes[0])
    with pytest.raises(Refused, match="already"):
        store.relate(notes[0], notes[1])
    for number in (99, notes[7]):
        with pytest.raises(NotFound):
            store.relate(notes[0], number)
    assert store.relate(notes[0], notes[1], "supersedes")


def test_a_refused_pair_leaves_no_half(store, notes):
    store.relate(notes[1], notes[0])

    with pytest.raises(Refused):
        store.relate(notes[0], notes[1], both=True)
    assert len(store.relations(notes[0])) == 1


def test_the_graph_goes_both_ways_to_a_depth(store, notes):
    a, b, c, *rest = notes
    for one, other in ((a, b), (b, c), (c, a)):
        store.relate(one, other)
    for one, other in zip([c, *rest], rest, strict=False):
        store.relate(one, other)

    def reached(depth):
        return [(n.note.id, n.depth, n.outgoing) for n in store.graph(a, depth)]

    assert reached(1) == [(b, 1, True), (c, 1, False)]
    assert reached(2) == [(b, 1, True), (c, 1, False), (rest[0], 2, True)]
    assert reached(0) == reached(2)
    assert reached(10) == reached(5)
    with pytest.raises(NotFound):
        store.graph(99)


def test_a_deleted_note_is_not_in_the_graph_and_comes_back_with_its_edges(store, notes):
    store.relate(notes[0], notes[1])
    store.relate(notes[1], notes[2])
    store.delete(notes[1])

    assert store.graph(notes[0]) == ()
    store.restore(notes[1])
    assert len(store.graph(notes[0])) == 2
    store.delete(notes[1], hard=True)
    assert store.relations(notes[0]) == ()


def test_what_is_deleted_for_good_takes_its_edges_along(store, notes):
    one, other = notes[0], notes[1]
    store.relate(one, other)
    store.relate(one, other, "supersedes")

    store.delete(one, hard=True)

    assert store.relations(other) == ()
