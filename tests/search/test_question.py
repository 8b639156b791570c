"""A question in words, taken apart."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.search.question import ASKING_WEIGHT, Span, Term, parse_question
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


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("on October 13, 2023", Span(date(2023, 10, 13), date(2023, 10, 13))),
        ("on 13th of May 2022", Span(date(2022, 5, 13), date(2022, 5, 13))),
        ("2023-10-13", Span(date(2023, 10, 13), date(2023, 10, 13))),
        ("in 2024-02", Span(date(2024, 2, 1), date(2024, 2, 29))),
        ("Sept. 2021", Span(date(2021, 9, 1), date(2021, 9, 30))),
        ("since 2021", Span(date(2021, 1, 1), date(2021, 12, 31))),
        ("in july", Span(date(2000, 7, 1), date(2000, 7, 31), yearly=True)),
        ("on June 5", Span(date(2000, 6, 5), date(2000, 6, 5), yearly=True)),
        ("what broke yesterday", Span(date(2024, 3, 30), date(2024, 3, 30))),
        ("today", Span(TODAY, TODAY)),
        ("last week", Span(date(2024, 3, 18), date(2024, 3, 24))),
        ("this week", Span(date(2024, 3, 25), date(2024, 3, 31))),
        ("last month", Span(date(2024, 2, 1), date(2024, 2, 29))),
        ("three months ago", Span(date(2023, 12, 1), date(2023, 12, 31))),
        ("12 days ago", Span(date(2024, 3, 19), date(2024, 3, 19))),
        ("a week ago", Span(date(2024, 3, 18), date(2024, 3, 24))),
        ("last year", Span(date(2023, 1, 1), date(2023, 12, 31))),
        ("last Friday", Span(date(2024, 3, 29), date(2024, 3, 29))),
        ("last Sunday", Span(date(2024, 3, 24), date(2024, 3, 24))),
    ],
)
def test_a_time_is_read_in_many_ways(text, span):
    assert parse_question(text, today=TODAY).dates == (span,)


@pytest.mark.parametrize(
    "text", ["it may march on", "on 30 February 2024", "2024-13", "version 3.11", "port 8080"]
)
def test_what_looks_like_a_time_is_none(text):
    assert parse_question(text, today=TODAY).dates == ()


def test_without_today_nothing_is_relative():
    assert parse_question("what did we do last week").dates == ()


def test_the_first_and_last_days_of_the_calendar_hold():
    assert parse_question("999 days ago, 999 years ago", today=date.min).dates[0].first == date.min
    assert parse_question("this week", today=date.max).dates[0].last == date.max
