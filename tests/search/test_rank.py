"""The order of what a search found, and the reasons for it."""

import math
import time
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.search.dates import Span
from modicum.search.features import SIGNALS, telling_words
from modicum.search.question import parse_question
from modicum.search.rank import CONSTANTS, Candidate, Collection, Hit, rank
from modicum.search.terms import Trait, stems, traits

WORDS = ["lock", "deadlock", "sqlite", "cache", "token", "deploy", "invoice", "parser", "retry", "index"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(tuple)


def note(number: int, text: str, title: str = "", **known: object) -> Candidate:
    words, named = stems(text), stems(title)
    told = {"traits": traits(text, named), "telling": telling_words(named, words), **known}
    return Candidate(number, named, words, **told)  # type: ignore[arg-type]


def collection(candidates: list[Candidate]) -> Collection:
    counts = Counter(word for c in candidates for word in {*c.title, *c.body})
    lengths = [len(c.title) + len(c.body) for c in candidates]
    return Collection(len(candidates), sum(lengths) / max(1, len(lengths)), counts)


def ask(text: str, *candidates: Candidate, today: date | None = None) -> tuple[Hit, ...]:
    found = list(candidates)
    return rank(parse_question(text, today=today), found, collection(found))


def order(hits: tuple[Hit, ...]) -> list[int]:
    return [hit.id for hit in hits]


def test_a_note_of_a_session_that_is_about_it_all_comes_first() -> None:
    alone = note(1, "deploy of the parser", session="b", position=1)
    about = [
        note(2, "the cache is cold", session="a", position=1),
        note(3, "deploy of the parser", session="a", position=60),
    ]

    hits = ask("deploy with a cold cache", alone, *about)

    assert order(hits).index(3) < order(hits).index(1)


@st.composite
def many(draw: st.DrawFn) -> list[Candidate]:
    count = draw(st.integers(0, 6))
    return [
        Candidate(
            number,
            title=draw(TEXTS),
            body=draw(TEXTS),
            names=draw(st.sampled_from([(), ("src/lock.py",), ("shop", "cache")])),
            author=draw(st.sampled_from(["", "Ann", "Bob Lee"])),
            session=draw(st.sampled_from(["", "s1", "s2"])),
            position=draw(st.integers(-3, 9)),
            created_at=draw(st.sampled_from(["", "broken", "2024-03-30T10:00:00Z", "2000-02-29"])),
            traits=Trait(draw(st.integers(0, 15))),
            related=draw(st.sampled_from([frozenset(), frozenset({1}), frozenset({2, 3})])),
            pinned=draw(st.booleans()),
        )
        for number in range(1, count + 1)
    ]


QUESTIONS = st.lists(
    st.sampled_from([*WORDS, "Ann", "lee", "when", "#2", "July", "2024", '"lock cache"', "lock.py"])
)


@given(many(), QUESTIONS, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_how_candidates_come(candidates, words, random):
    question = parse_question(" ".join(words), today=date(2024, 3, 31))
    shuffled = random.sample(candidates, len(candidates))

    assert rank(question, shuffled, collection(candidates)) == rank(
        question, candidates, collection(candidates)
    )


@given(many(), st.text())
def test_every_candidate_is_in_the_order_once_with_a_finite_score(candidates, text):
    hits = rank(parse_question(text), candidates, collection(candidates))

    assert sorted(order(hits)) == [c.id for c in candidates]
    assert all(math.isfinite(hit.score) for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@given(many(), st.lists(st.sampled_from(WORDS), min_size=1))
def test_what_matches_has_a_reason(candidates, words):
    question = parse_question(" ".join(words))
    wanted = {term.stem for term in question.terms}
    matching = {c.id for c in candidates if wanted & {*c.title, *c.body}}

    assert all(
        hit.reasons for hit in rank(question, candidates, collection(candidates)) if hit.id in matching
    )


@given(many(), QUESTIONS)
def test_a_stranger_changes_nothing_for_the_others(candidates, words):
    question = parse_question(" ".join(words))
    # Links count from the best three only, and a stranger may become one of them.
    apart = [candidate._replace(related=frozenset()) for candidate in candidates]
    known = collection(apart)
    stranger = Candidate(99, body=("zebra",), session="elsewhere")
    after = rank(question, [*apart, stranger], known)

    assert tuple(hit for hit in after if hit.id != 99) == rank(question, apart, known)


def test_nothing_found_is_no_hits():
    assert ask("anything") == ()


def test_a_collection_that_is_empty_still_orders():
    assert order(rank(parse_question("lock"), [note(1, "a lock")], Collection(0, 0.0, {}))) == [1]


def test_rare_words_count_more():
    common = [note(n, "the cache again") for n in range(3, 20)]

    assert order(ask("cache deadlock", note(1, "a cache"), note(2, "a deadlock"), *common))[0] == 2


def test_a_match_in_the_title_comes_first_and_says_so():
    hits = ask(
        "sqlite lock",
        note(1, "sqlite lock here"),
        note(2, "sqlite here", title="the lock"),
        note(3, "nothing"),
    )

    assert hits[0].id == 2
    assert hits[0].reasons == ("matches 'lock' in the title", "matches 'sqlite'")
    assert hits[2].reasons == ()


def test_neighbours_in_the_session_lend_their_words():
    talk = [
        note(n, text, session="s", position=n) for n, text in enumerate(["a deadlock", "we fixed it", "done"])
    ]
    alone = note(9, "we fixed it", session="t")
    hits = {hit.id: hit for hit in ask("deadlock", *talk, alone)}

    assert order(ask("deadlock", *talk, alone)) == [0, 1, 2, 9]
    assert hits[1].reasons == ("a note before it matches 'deadlock'",)
    assert hits[9].reasons == ()


def test_what_comes_after_lends_less():
    talk = [
        note(n, text, session="s", position=n) for n, text in enumerate(["we did", "a deadlock", "we did"])
    ]
    hits = ask("deadlock", *talk)

    assert order(hits) == [1, 2, 0]
    assert hits[2].reasons == ("a note after it matches 'deadlock'",)


def test_a_note_with_a_title_stands_by_itself():
    talk = [
        note(1, "a deadlock", session="s", position=1),
        note(2, "we did", session="s", position=2),
        note(3, "deadlock", session="t", position=1),
        note(4, "did", title="a title of many words", session="t", position=2),
    ]

    assert order(ask("deadlock", *talk)).index(2) < order(ask("deadlock", *talk)).index(4)


def test_a_label_of_a_word_or_two_is_no_title():
    talk = [
        note(1, "a deadlock", session="s", position=1),
        note(2, "we did", session="s", position=2),
        note(3, "a deadlock", session="t", position=1),
        note(4, "we did", title="turn 4", session="t", position=2),
    ]
    scores = {hit.id: hit.score for hit in ask("deadlock", *talk)}

    assert scores[4] == pytest.approx(scores[2], rel=0.2)


@pytest.mark.parametrize("label", ["D1:4", "turn 4/17", "Ann (D1:4)"])
def test_numbers_make_no_title(label):
    talk = [
        note(1, "a deadlock", session="s", position=1),
        note(2, "did", title=label, session="s", position=2),
        note(3, "a deadlock", session="t", position=1),
        note(4, "did", session="t", position=2),
    ]
    scores = {hit.id: hit.score for hit in ask("deadlock", *talk)}

    assert scores[2] >= scores[4]


def test_notes_without_a_session_are_no_neighbours():
    assert ask("deadlock", note(1, "a deadlock", position=1), note(2, "so", position=2))[1].reasons == ()


def test_words_that_stand_together_come_first():
    assert (
        order(
            ask("index cache", note(2, "the index cache of a shop"), note(3, "index of a shop for the cache"))
        )[0]
        == 2
    )


def test_the_answer_follows_the_question():
    talk = [
        note(1, "Which parser?", session="s", position=1),
        note(2, "it was that", session="s", position=2),
        note(3, "a long gap", session="s", position=4),
    ]
    hits = {hit.id: hit for hit in ask("parser", *talk)}

    assert "follows a question that matches" in hits[2].reasons
    assert "answer" not in hits[3].signals


def test_many_words_are_named_in_part():
    text = "lock deadlock sqlite cache token deploy"

    assert ask(text, note(1, text))[0].reasons[0].endswith("'cache' and 2 more")


@pytest.mark.parametrize(
    ("text", "known", "reason"),
    [
        ("#2", {}, "is named"),
        ("config/Env", {"names": ("config/env",)}, "is called 'config/Env'"),
        ("bug in main.py", {"names": ("shop", "src/main.py")}, "belongs to 'src/main.py'"),
        ("what did Bob say", {"author": "Bob Lee"}, "by Bob Lee"),
        ("in July", {"created_at": "2023-07-15"}, "from the time asked about"),
        ("July 2023", {"created_at": "2023-08-03"}, "from the time asked about"),
        ("during 2023", {"created_at": "2023-08-03"}, "from the time asked about"),
        ("how many", {"traits": Trait.NUMBER}, "has a number"),
        ("when", {"traits": Trait.TIME}, "says when"),
        ("anything", {"pinned": True}, "pinned"),
    ],
)
def test_what_is_known_of_a_note_moves_it_up(text, known, reason):
    plain, better = Candidate(1, body=("so",)), Candidate(2, body=("so",))._replace(**known)
    hits = ask(text, plain, better)

    assert hits[0].id == 2
    assert reason in hits[0].reasons


@pytest.mark.parametrize("created_at", ["2023-06-30", "", "soon"])
def test_what_was_written_before_is_not_from_the_time_asked_about(created_at):
    assert "date" not in ask("July 2023", Candidate(1, created_at=created_at))[0].signals


@pytest.mark.parametrize(
    ("text", "created_at", "said"),
    [
        ("in the winter", "2024-01-10", ()),
        ("on 29 February", "2024-02-29", ()),
        ("May 8, 2024", "2024-06-20", (Span(date(2024, 5, 6), date(2024, 5, 12)),)),
        ("in early May", "2024-06-20", (Span(date(2024, 5, 6), date(2024, 5, 12)),)),
    ],
)
def test_what_is_of_the_time_or_tells_of_it_is_from_the_time_asked_about(text, created_at, said):
    (hit,) = ask(text, Candidate(1, created_at=created_at, said=said))

    assert hit.signals["date"] == pytest.approx(1.0 if "winter" not in text else 31 / 90, abs=0.01)


def test_a_time_that_a_note_tells_of_may_be_another():
    said = (Span(date(2024, 5, 6), date(2024, 5, 12)),)

    assert "date" not in ask("on May 20, 2025", Candidate(1, created_at="2024-05-14", said=said))[0].signals


@pytest.mark.parametrize(
    ("text", "is_named"), [("what did Mel buy", True), ("melanie", True), ("mel", False)]
)
def test_an_author_is_named_in_full_or_short_with_a_capital(text, is_named):
    assert ("author" in ask(text, Candidate(1, author="Melanie"))[0].signals) is is_named


def test_two_authors_asked_about_are_none():
    assert (
        "author" not in ask("Ann and Bob", Candidate(1, author="Ann"), Candidate(2, author="Bob"))[0].signals
    )


def test_quoted_words_must_stand_together():
    hits = ask(
        '"busy lock"', note(1, "lock busy"), note(2, "a busy lock"), note(3, "x", title="the busy locks")
    )

    assert set(order(hits)[:2]) == {2, 3}
    assert "has the quoted words" in hits[0].reasons
    assert "has the quoted words" not in hits[2].reasons


def test_what_is_linked_to_the_best_moves_up():
    hits = ask("deadlock", note(1, "a deadlock"), note(2, "so"), note(3, "so", related=frozenset({1})))

    assert order(hits) == [1, 3, 2]
    assert hits[1].reasons == ("linked to one of the best",)


def test_equals_are_newest_first_and_then_by_id():
    days = {1: "2024-01-01", 2: "2024-02-01", 3: "2024-02-01"}

    assert order(ask("lock", *(Candidate(n, body=("lock",), created_at=day) for n, day in days.items()))) == [
        2,
        3,
        1,
    ]


def test_recent_notes_win_among_equals_when_today_is_known():
    found = [
        Candidate(1, body=("lock",), created_at="2024-01-01"),
        Candidate(2, body=("lock",), created_at="2024-03-30"),
    ]

    assert ask("lock", *found, today=date(2024, 3, 31))[0].score > ask("lock", *found)[0].score


def test_every_signal_has_a_constant():
    assert SIGNALS.keys() <= CONSTANTS.keys()


def test_three_hundred_candidates_take_a_moment():
    found = [
        note(n, " ".join(WORDS[n % 7 :] * 8), title=WORDS[n % 10], session=f"s{n // 12}", position=n % 12)
        for n in range(300)
    ]
    known = collection(found)
    question = parse_question("why did the sqlite deadlock break the index cache on deploy")
    started = time.process_time()
    rank(question, found, known)

    assert time.process_time() - started < 0.5


# Meaning, where a sentence model has compared the question with the notes


def test_what_is_close_in_meaning_is_found_without_a_word() -> None:
    hits = ask("who got their money back", note(1, "the parser"), note(2, "a refund", alike=0.8))
    assert order(hits)[0] == 2
    assert hits[0].reasons == ("close in meaning",)
    assert not hits[1].reasons


def test_the_words_of_a_note_take_half_of_its_likeness() -> None:
    says, both = ask("cache", note(1, "cache"), note(2, "cache", alike=0.5))
    assert (says.id, both.id) == (2, 1)
    assert says.score == pytest.approx(both.score + 0.25 * CONSTANTS["meaning"])


def test_a_turn_that_says_it_all_has_nothing_left_to_be_alike() -> None:
    turn = note(1, "cache", session="s", position=1, alike=0.5)
    assert "meaning_of_turn" not in ask("cache", turn)[0].signals


def test_a_turn_alone_says_half_of_what_is_meant() -> None:
    turn = note(1, "cache", session="s", position=1, alike=0.5)
    titled = note(2, "cache", "Why it is cold today", session="t", position=1, alike=0.5)
    found = {hit.id: hit.signals for hit in ask("lock", turn, titled)}
    assert found[1]["meaning_of_turn"] == found[2]["meaning"] == 0.5
    assert "meaning" not in found[1]
    assert "meaning_of_turn" not in found[2]
    assert CONSTANTS["meaning_of_turn"] < CONSTANTS["meaning"]


@given(
    words=st.sampled_from(["cache", "cache lock", "parser"]),
    alike=st.floats(0.01, 0.9),
    more=st.floats(0.01, 0.1),
    titled=st.booleans(),
)
def test_what_is_more_alike_never_has_a_lower_score(
    words: str, alike: float, more: float, titled: bool
) -> None:
    title = "Why it is cold today" if titled else ""
    pair = [
        note(n, words, title, session=f"s{n}", position=1, alike=near)
        for n, near in ((1, alike), (2, alike + more))
    ]
    scores = {hit.id: hit.score for hit in ask("cache lock", *pair)}
    assert scores[2] >= scores[1]


def test_what_stands_beside_a_turn_is_told_with_it() -> None:
    lone = note(1, "so it is", session="s", position=1, alike=0.5)
    beside = [
        note(2, "cache", session="t", position=1),
        note(3, "so it is", session="t", position=2, alike=0.5),
    ]
    found = {hit.id: hit.signals for hit in ask("cache lock", lone, *beside)}
    assert found[3]["meaning_of_turn"] < found[1]["meaning_of_turn"] == 0.5


def test_turns_that_say_more_together_than_the_best_one_lose_no_more_than_their_likeness() -> None:
    told = [
        note(n, word, session="s", position=n, alike=0.9)
        for n, word in enumerate(("cache", "lock", "parser"))
    ]
    assert min(value for hit in ask("cache lock parser", *told) for value in hit.signals.values()) >= 0


@given(few=st.integers(0, 3), more=st.integers(0, 3), alike=st.floats(0, 1), before=st.floats(0, 1))
def test_a_turn_with_more_words_of_the_question_never_has_a_lower_score(
    few: int, more: int, alike: float, before: float
) -> None:
    asked, others = ["cache", "lock", "parser"], ["one", "two", "six"]
    turns = []
    for name, count in (("s", few), ("t", min(3, few + more))):
        words = " ".join([*asked[:count], *others[count:]])
        turns += [
            note(len(turns), "what did it cost?", session=name, position=1, alike=before),
            note(len(turns) + 1, words, session=name, position=2, alike=alike),
        ]
    scores = {hit.id: hit.score for hit in ask("cache lock parser", *turns)}
    assert scores[3] >= scores[1]


def test_an_answer_takes_after_its_question() -> None:
    asks = note(1, "what did it cost?", session="s", position=1, alike=0.5)
    answers = note(2, "too much", session="s", position=2)
    found = {hit.id: hit for hit in ask("price", asks, answers)}
    assert found[2].signals["meaning_of_turn"] == pytest.approx(0.3)
    assert "follows a question that is close in meaning" in found[2].reasons
    assert "close in meaning" in found[1].reasons


def test_who_follows_no_question_takes_nothing() -> None:
    says = note(1, "it did cost a lot", session="s", position=1, alike=0.5)
    follows = note(2, "too much", session="s", position=2)
    found = {hit.id: hit for hit in ask("price", says, follows)}
    assert "meaning_of_turn" not in found[2].signals


OLD, YESTERDAY = "2024-03-19", "2024-03-30"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("outage yesterday", [2, 1, 3]),
        ("what changed about the outage yesterday", [2, 1, 3]),
        ("what changed yesterday", [2, 3, 1]),
        ("outage of the payment service yesterday", [1, 2, 3]),
    ],
)
def test_a_note_with_the_thing_asked_for_comes_before_those_that_are_only_of_the_time(text, expected):
    others = "queue parser lexer token index vector schema route header font server colour margin button"
    found = ask(
        text,
        note(1, "payment service was down", "Outage changed", created_at=OLD),
        note(2, f"{others} outage", "Deploy", created_at=YESTERDAY),
        note(3, others, "Warehouse", created_at=YESTERDAY),
        today=date(2024, 3, 31),
    )

    assert order(found) == expected


def test_what_is_of_the_person_or_project_asked_for_beside_a_time_has_what_is_asked_for():
    by_ann = Candidate(1, body=("queue",), author="Ann", created_at=YESTERDAY)
    of_shop = Candidate(2, body=("queue",), names=("shop",), created_at=YESTERDAY)
    of_both = Candidate(3, body=("shop", "ann"), created_at=OLD)

    assert order(ask("what did Ann do yesterday", by_ann, of_both, today=date(2024, 3, 31))) == [1, 3]
    assert order(ask("what changed in shop yesterday", of_shop, of_both, today=date(2024, 3, 31))) == [2, 3]
