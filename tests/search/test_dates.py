"""Dates in a text, of the calendar and relative to today."""

from datetime import date

import pytest

from modicum.search.dates import Span, dates_in

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
    ],
)
def test_a_time_is_read_in_many_ways(text, span):
    assert dates_in(text, today=TODAY) == (span,)


@pytest.mark.parametrize(
    "text", ["it may march on", "on 30 February 2024", "2024-13", "version 3.11", "port 8080"]
)
def test_what_looks_like_a_time_is_none(text):
    assert dates_in(text, today=TODAY) == ()


def test_without_today_nothing_is_relative():
    assert dates_in("what did we do last week") == ()


def test_the_first_and_last_days_of_the_calendar_hold():
    assert dates_in("999 days ago, 999 years ago", today=date.min)[0].first == date.min
    assert dates_in("this week", today=date.max)[0].last == date.max
