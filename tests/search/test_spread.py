"""Where many turns answer together, the first hits are of several sessions."""

from hypothesis import given
from hypothesis import strategies as st

from modicum.search.features import Candidate, CandidateContext
from modicum.search.question import parse_question
from modicum.search.rank import Hit
from modicum.search.spread import AGAIN, COMPARED, SPREAD, spread
from modicum.search.terms import Trait


def turn(number, score, session, traits=0):
    return Hit(number, score, place=CandidateContext(Candidate(number, session=session, traits=traits), {}))


def test_turns_of_one_session_do_not_crowd_out_another():
    hits = [turn(1, 1.0, "a"), turn(2, 0.99, "a"), turn(3, 0.98, "a"), turn(4, 0.97, "b"), turn(5, 0.5, "b")]

    assert [hit.id for hit in spread(hits)] == [1, 4, 2, 3, 5]


def test_notes_with_a_title_stay_where_they_are():
    hits = [turn(n, 1 - n / 100, "a", int(Trait.TITLED)) for n in range(5)] + [Hit(9, 0.1)]

    assert spread(hits) == hits


def test_all_hits_stay():
    hits = [turn(n, 1 - n / 1000, "a") for n in range(COMPARED + 9)]

    assert sorted(spread(hits)) == sorted(hits)
    assert spread([]) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), max_size=SPREAD + 9))
def test_the_next_hit_is_always_the_best_one_less_what_its_session_has(told):
    hits = [turn(n, score / 50, session) for n, (score, session) in enumerate(told)]
    hits.sort(key=lambda hit: -hit.score)
    found = spread(hits)

    for at, hit in enumerate(found[:SPREAD]):
        before = [each.place.candidate.session for each in found[:at]]
        worth = [each.score - AGAIN * before.count(each.place.candidate.session) for each in found[at:]]
        assert worth[0] == max(worth)
        assert all(
            hits.index(hit) <= hits.index(each)
            for each, same in zip(found[at:], worth, strict=True)
            if same == worth[0]
        )


def test_some_questions_ask_for_many():
    many = (
        "What has she ever bought?",
        "which books has Ann read",
        "How many tests are there",
        "What recipes do we have",
    )
    assert all(parse_question(text).asks_for_many for text in many)
    assert not any(
        parse_question(text).asks_for_many for text in ("When did Ann leave?", "how many bugs in May 2024")
    )
