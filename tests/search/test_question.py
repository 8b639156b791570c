"""A question in words, taken apart."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.search.dates import Span
from modicum.search.question import ASKING_WEIGHT, Term, parse_question
from modicum.search.terms import Trait

TODAY = date(2024, 3, 31)  # a Sunday


@given(st.text(), st.none() | st.dates())
def test_any_text_is_a_question(text, today):
    question = parse_question(text, today=today)

    assert question.text == text
    assert len({term.stem for term in question.terms}) == len(question.terms)
    assert all(span.first <= span.last for span in question.dates)


def test_stop_words_are_left_out_and_asking_words_count_half():
    question = parse_question("What kind of locks did the store use on locking?")

    assert question.terms == (
        Term("kind", "kind", ASKING_WEIGHT),
        Term("lock", "locks"),
        Term("store", "store"),
    )


def test_a_question_of_stop_words_is_searched_for_all_of_them():
    assert [term.word for term in parse_question("to be or not to be").terms] == ["to", "be", "or", "not"]


def test_quotes_numbers_and_names_are_recognised():
    question = parse_question('see #42 and "the busy locks" in src/Store.py, not a#7 or ""')

    assert question.phrases == (("the", "busi", "lock"),)
    assert question.ids == {42}
    assert {"src/store.py", "store", "storepy"} & question.names == {"src/store.py", "store"}


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("When was it?", Trait.TIME),
        ("how long did it take", Trait.TIME | Trait.NUMBER),
        ("Tell me, who wrote it", Trait.NAME),
        ("How many rows", Trait.NUMBER),
        ("how did it feel when it broke", Trait(0)),
    ],
)
def test_a_question_wants_an_answer_of_a_shape(text, wants):
    assert parse_question(text).wants == wants


def test_a_question_has_the_dates_that_it_names():
    span = Span(date(2024, 3, 18), date(2024, 3, 24))

    assert parse_question("what did we do last week", today=TODAY).dates == (span,)
    assert parse_question("what did we do last week").dates == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("what broke in the second week of June", ["broke", "week", "june"]),
        ("the mid-June outage", ["june", "outage"]),
        ("outages at the end of June 2024", ["outages", "june", "2024"]),
        ("last summer", ["summer"]),
        ("the second queue", ["second", "queue"]),
        ("what did we decide yesterday about the retry policy", ["decide", "retry", "policy"]),
    ],
)
def test_words_that_only_place_a_time_are_not_looked_for(text, words):
    found = [term.word for term in parse_question(text, today=TODAY).terms]

    assert [word.replace("break", "broke") for word in found] == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("yesterday", ["yesterday"]),
        ("what did we do yesterday", ["yesterday"]),
        ("what changed yesterday", ["changed", "yesterday"]),
        ("today widget", ["today", "widget"]),
        ("why does the today screen fail on scrolling", ["today", "screen", "fail", "scrolling"]),
    ],
)
def test_today_and_yesterday_are_looked_for_where_little_else_is_or_they_name_a_thing(text, words):
    terms = parse_question(text, today=TODAY).terms

    assert [term.word for term in terms] == words
    assert {term.weight for term in terms if term.word in ("today", "yesterday")} == {ASKING_WEIGHT}


def test_in_a_prompt_today_and_yesterday_are_words_like_others():
    text = "the policy for retries was decided yesterday"
    words = [term.word for term in parse_question(text, today=TODAY, is_prompt=True).terms]

    assert words == ["policy", "retries", "decided", "yesterday"]


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("what changed yesterday", True),
        ("what went wrong in June", True),
        ("3 May 2024", True),
        ("the summer of 2023", True),
        ("outage yesterday", True),
        ("what changed in the parser last week", True),
        ("why did the cache of the shop fail in June", False),
        ("what changed", False),
    ],
)
def test_a_question_may_be_about_little_but_a_time(text, is_so):
    assert parse_question(text, today=TODAY).is_about_a_time is is_so


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("what changed yesterday", set()),
        ("what new things did we do and fix in June 2023", set()),
        ("outage yesterday", {"outag"}),
        ("which caches failed last week", {"cach"}),
    ],
)
def test_what_a_question_asks_for_is_neither_a_time_nor_a_word_of_any_note(text, telling):
    assert parse_question(text, today=TODAY).telling == telling
