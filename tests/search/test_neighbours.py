"""A turn without any of the words never comes before the turn with them that it stands beside."""

from hypothesis import given
from hypothesis import strategies as st

from modicum.search.features import Candidate, CandidateContext
from modicum.search.neighbours import REACH, behind_hits
from modicum.search.rank import Hit


def turn(number, session="a", *, own=None):
    return Hit(
        number, 1.0, place=CandidateContext(Candidate(number, session=session, position=number), own or {})
    )


def is_nearby(hit):
    return hit.place is not None and not hit.place.own


def test_a_neighbour_comes_right_behind_the_hit_beside_it():
    hits = [turn(1), turn(9, "b", own={"x": 1.0}), turn(2, own={"x": 1.0}), turn(3), turn(8, "b")]

    assert [hit.id for hit in behind_hits(hits, is_nearby)] == [9, 2, 1, 3, 8]


def test_a_neighbour_of_nothing_that_was_found_comes_last():
    hits = [turn(1), turn(5, own={"x": 1.0}), turn(4, ""), Hit(7, 0.1)]

    assert [hit.id for hit in behind_hits(hits, is_nearby)] == [5, 7, 1, 4]


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.sampled_from(["a", "b", ""]), st.booleans()),
        unique_by=lambda t: t[:2],
    )
)
def test_every_hit_stays_and_none_comes_before_the_first_it_stands_beside(drawn):
    hits = [turn(number, session, own={"x": 1.0} if has else None) for number, session, has in drawn]

    ordered = behind_hits(hits, is_nearby)

    assert sorted(map(id, ordered)) == sorted(map(id, hits))
    with_words = [hit for hit in hits if not is_nearby(hit)]
    assert [hit for hit in ordered if not is_nearby(hit)] == with_words
    for at, hit in enumerate(ordered):
        one = hit.place.candidate
        beside = [
            other
            for other in with_words
            if one.session
            and other.place.candidate.session == one.session
            and abs(other.place.candidate.position - one.position) <= REACH
        ]
        assert not is_nearby(hit) or not beside or any(other in ordered[:at] for other in beside)
