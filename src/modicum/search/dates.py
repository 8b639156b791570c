"""Finds dates in a text: calendar dates such as "3 May 2024", and words such as "yesterday" or "last week". Pure."""

import re
from collections.abc import Mapping
from datetime import date
from functools import cache

from modicum.base.value import Value

_ANY_YEAR = 2000  # a leap year, so that every day of a year without a number exists in it


class Span(Value):
    """A span of dates from the first day to the last, both included; `yearly`: in any year."""

    first: date
    last: date
    yearly: bool = False


def dates_in(text: str, *, today: date | None = None) -> tuple[Span, ...]:
    """Returns all dates (days, months, years) that a text names; those relative to today only if it is given."""
    return (*calendar_dates(text), *relative_dates(text, today))


# "may" and "march" are months only with a capital; so are short forms.
_MONTH = (
    r"(?P<month>(?i:january|february|april|june|july|august|september|october|november|december)|March|May"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.?)"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
# Longest first: what one has taken, the next no longer sees.
_CALENDAR = (
    rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
    rf"{_YEAR}-(?P<month>\d\d)",
    rf"{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?",
    rf"{_MONTH} {_DAY}(?:,? {_YEAR})?",
    rf"{_MONTH},?(?: of)? {_YEAR}",
    _MONTH,
    _YEAR,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNTS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "this": 0,
    "last": 1,
}
_RELATIVE = (
    r"\b(?:(?P<count>\d{1,3}|an?|one|two|three|four|five|six) (?P<ago>day|week|month|year)s? ago"
    r"|(?P<which>this|last) (?P<unit>week|month|year)"
    rf"|last (?P<weekday>{'|'.join(_WEEKDAYS)})"
    r"|(?P<near>yesterday|today))\b"
)
_RELATIVE_SIGNS = ("ago", "this", "last", "yesterday", "today")
_YEAR_SIGNS = ("19", "20")


# Most questions name no day, and a hook that asks one has no time to compile what it does not need.
@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _has_any(signs: tuple[str, ...], text: str) -> bool:
    return any(sign in text for sign in signs)


def calendar_dates(text: str) -> list[Span]:
    """Returns the calendar dates that a text names: days, months and years, the most exact first."""
    if not _has_any(_MONTHS + _YEAR_SIGNS, text.lower()):
        return []
    found = []
    for pattern in (_compiled(rf"(?<!\w){each}(?!\w)") for each in _CALENDAR):
        found += [_calendar_span(match) for match in pattern.finditer(text)]
        text = pattern.sub(" , ", text)
    return [span for span in found if span is not None]


def _calendar_span(match: re.Match[str]) -> Span | None:
    parts = match.groupdict()
    month, day = parts.get("month"), parts.get("day")
    year = int(parts.get("year") or _ANY_YEAR)
    try:
        first = date(year, _month_number(month) if month else 1, int(day or 1))
    except ValueError:
        return None
    last = first if day else _end_of_month(first) if month else date(year, 12, 31)
    return Span(first, last, yearly=not parts.get("year"))


def _month_number(name: str) -> int:
    return int(name) if name.isdigit() else _MONTHS.index(name[:3].lower()) + 1


def _end_of_month(day: date) -> date:
    if day.month == 12:
        return day.replace(day=31)
    return date.fromordinal(date(day.year, day.month + 1, 1).toordinal() - 1)


def relative_dates(text: str, today: date | None) -> list[Span]:
    """Returns the dates that a text names relative to today, such as "last week"; none without `today`."""
    small = text.lower()
    if today is None or not _has_any(_RELATIVE_SIGNS, small):
        return []
    return [_relative_span(match.groupdict(), today) for match in _compiled(_RELATIVE).finditer(small)]


def _relative_span(parts: Mapping[str, str | None], today: date) -> Span:
    if weekday := parts["weekday"]:
        back = (today.weekday() - _WEEKDAYS.index(weekday) - 1) % 7 + 1
        return _unit_span("day", _days_before(today, back))
    if near := parts["near"]:
        return _unit_span("day", _days_before(today, int(near == "yesterday")))
    unit = parts["ago"] or parts["unit"] or ""
    word = parts["count"] or parts["which"] or ""
    return _unit_span(unit, _units_before(today, unit, int(word) if word.isdigit() else _COUNTS[word]))


def _units_before(today: date, unit: str, count: int) -> date:
    if unit in ("day", "week"):
        return _days_before(today, count * (7 if unit == "week" else 1))
    months = max(12, today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1))
    return date(months // 12, months % 12 + 1, 1)


def _days_before(today: date, days: int) -> date:
    return date.fromordinal(max(1, today.toordinal() - days))


def _unit_span(unit: str, day: date) -> Span:
    if unit == "day":
        return Span(day, day)
    if unit == "week":
        monday = _days_before(day, day.weekday())
        return Span(monday, date.fromordinal(min(date.max.toordinal(), monday.toordinal() + 6)))
    if unit == "month":
        return Span(day, _end_of_month(day))
    return Span(date(day.year, 1, 1), date(day.year, 12, 31))
