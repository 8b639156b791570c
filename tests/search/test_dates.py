"""Dates in a text, of the calendar and relative to today."""

from datetime import date

import pytest

from modicum.search.dates import Span, dates_in, without_near_words

TODAY = date(2024, 3, 31)  # a Sunday


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
        ("on Friday", Span(date(2024, 3, 29), date(2024, 3, 29))),
        ("last night", Span(date(2024, 3, 30), date(2024, 3, 30))),
        ("last weekend", Span(date(2024, 3, 23), date(2024, 3, 24))),
        ("this weekend", Span(date(2024, 3, 30), date(2024, 3, 31))),
        ("last spring", Span(date(2023, 3, 1), date(2023, 5, 31))),
        ("this spring", Span(date(2024, 3, 1), date(2024, 5, 31))),
        ("last winter", Span(date(2023, 12, 1), date(2024, 2, 29))),
        ("in the summer", Span(date(2000, 6, 1), date(2000, 8, 31), yearly=True)),
        ("summer of 2021", Span(date(2021, 6, 1), date(2021, 8, 31))),
        ("mid-August", Span(date(2000, 8, 11), date(2000, 8, 20), yearly=True)),
        ("early May 2023", Span(date(2023, 5, 1), date(2023, 5, 10))),
        ("the end of February 2023", Span(date(2023, 2, 21), date(2023, 2, 28))),
        ("first half of September 2022", Span(date(2022, 9, 1), date(2022, 9, 15))),
        ("second week of November", Span(date(2000, 11, 8), date(2000, 11, 14), yearly=True)),
        ("the last week of November 2022", Span(date(2022, 11, 24), date(2022, 11, 30))),
        ("the week before August 3, 2023", Span(date(2023, 7, 24), date(2023, 7, 30))),
        ("2 weeks before 2023-08-11", Span(date(2023, 7, 24), date(2023, 7, 30))),
        ("the Sunday before October 25, 2022", Span(date(2022, 10, 23), date(2022, 10, 23))),
        ("the weekend before 10 April 2023", Span(date(2023, 4, 8), date(2023, 4, 9))),
    ],
)
def test_a_time_is_read_in_many_ways(text, span):
    assert dates_in(text, today=TODAY) == (span,)


@pytest.mark.parametrize(
    "text",
    [
        "it may march on",
        "on 30 February 2024",
        "2024-13",
        "version 3.11",
        "port 8080",
        "Spring Boot",
        "it may fall",
    ],
)
def test_what_looks_like_a_time_is_none(text):
    assert dates_in(text, today=TODAY) == ()


def test_without_today_nothing_is_relative():
    assert dates_in("what did we do last week") == ()


def test_the_first_and_last_days_of_the_calendar_hold():
    assert dates_in("999 days ago, 999 years ago", today=date.min)[0].first == date.min
    assert dates_in("this week", today=date.max)[0].last == date.max
    assert dates_in("this weekend, last winter", today=date.max)
    assert dates_in("last weekend, last winter", today=date.min)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("what broke yesterday?", "what broke  ?"),
        ("yesterday about the queue", "  about the queue"),
        ("Yesterday evening, today", "  evening,  "),
        ("today 3 tests failed", "  3 tests failed"),
        ("yesterday's deploy", " 's deploy"),
        ("nothing of a time", "nothing of a time"),
    ],
)
def test_today_and_yesterday_are_taken_out_where_they_place_a_time(text, rest):
    assert without_near_words(text) == rest


@pytest.mark.parametrize(
    "text",
    [
        "the today screen",
        "Today Widget",
        "TodayWidget",
        "today.py",
        "app/today",
        "today-view",
        'rename "Today"',
    ],
)
def test_today_is_left_where_it_names_a_thing(text):
    assert without_near_words(text) == text
