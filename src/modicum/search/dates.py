"""Finds dates in a text: calendar dates such as "3 May 2024", and words such as "yesterday" or "last week". Pure."""

import re
from collections.abc import Mapping
from datetime import date
from functools import cache

from modicum.base.value import Value
from modicum.search.word_lists import EMPTY_WORDS, NEAR_WORDS

_ANY_YEAR = 2000  # a leap year, so that every day of a year without a number exists in it


class Span(Value):
    """A span of dates from the first day to the last, both included; `yearly`: in any year."""

    first: date
    last: date
    yearly: bool = False


def dates_in(text: str, *, today: date | None = None) -> tuple[Span, ...]:
    """Returns all dates (days, weeks, months, seasons, years) that a text names; those relative to today only if it is given."""
    found, left = _taken_out(text)
    return (*found, *relative_dates(left, today))


# "may" and "march" are months only with a capital; so are short forms.
_MONTH = (
    r"(?P<month>(?i:january|february|april|june|july|august|september|october|november|december)|March|May"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.?)"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ONES = "day|week|weekend|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_BEFORE = (
    rf"(?:(?P<count>\d{{1,2}}|an?|one|two|three|four|five|six|the|last) )?(?P<unit>(?i:{_ONES}))s? before "
)
_PART = r"(?:(?P<part>(?i:early|mid|late))[ -]|(?:(?i:the) )?(?P<piece>(?i:beginning|start|middle|end|first half|second half)) of )"
_WEEK = r"(?P<week>(?i:first|second|third|fourth|last|1st|2nd|3rd|4th)) (?i:week) (?i:of|in) "
_SEASON = r"(?P<season>(?i:spring|summer|autumn|fall|winter))"
# Longest first: what one has taken, the next no longer sees.
_CALENDAR = (
    rf"{_BEFORE}{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
    rf"{_BEFORE}{_DAY}(?: of)? {_MONTH},? {_YEAR}",
    rf"{_BEFORE}{_MONTH} {_DAY},? {_YEAR}",
    rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
    rf"{_YEAR}-(?P<month>\d\d)",
    rf"(?:{_PART}|{_WEEK}){_MONTH}(?:,?(?: of)? {_YEAR})?(?! \d)",
    rf"{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?",
    rf"{_MONTH} {_DAY}(?:,? {_YEAR})?",
    rf"{_MONTH},?(?: of)? {_YEAR}",
    rf"{_SEASON},?(?: of)? {_YEAR}",
    rf"(?:(?i:in|during|over|since))(?: the)? {_SEASON}",
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
    "the": 1,
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # the months they begin with
_WEEKS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
_PARTS = {  # of a month: the first day, and the last or 0 for that of the month
    "early": (1, 10),
    "beginning": (1, 10),
    "start": (1, 10),
    "first half": (1, 15),
    "mid": (11, 20),
    "middle": (11, 20),
    "second half": (16, 0),
    "late": (21, 0),
    "end": (21, 0),
}
_RELATIVE = (
    r"\b(?:(?P<count>\d{1,3}|an?|one|two|three|four|five|six) (?P<ago>day|week|month|year)s? ago"
    r"|(?P<which>this|last) (?P<unit>weekend|week|month|year|spring|summer|autumn|fall|winter)"
    rf"|(?:last|on) (?P<weekday>{'|'.join(_WEEKDAYS)})"
    r"|(?P<near>yesterday|last night|today))\b"
)
# Words that place a time and say nothing of it: "second" of "the second week of June" is in "10 seconds", too.
_PLACING = (
    rf"(?<!\w){_PART}(?={_MONTH})",
    rf"(?<!\w)(?i:first|second|third|fourth|last|1st|2nd|3rd|4th)(?= (?i:week) (?i:of|in) {_MONTH})",
)
_PLACING_NEAR = r"(?i)\blast(?= (?:night|week|month|year|spring|summer|autumn|fall|winter))"
# In quotes, or joined to others as in "today.py", they place nothing.
_NEAR = (
    rf"(?i)(?<![\w\"“「'`])(?<!\w[-./\\:])(?:{'|'.join(NEAR_WORDS)})(?![-./\\:]*\w)"
    r"(?=(?: +(?P<next>[^\W\d_]+))?)"
)
_PARTS_OF_DAY = ("morning", "noon", "afternoon", "evening", "night")
_RELATIVE_SIGNS = ("ago", "this", "last", "yesterday", "today", *(f"on {day}" for day in _WEEKDAYS))
_OTHER_SIGNS = ("19", "20", *_SEASONS)


# Most questions name no day, and a hook that asks one has no time to compile what it does not need.
@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _has_any(signs: tuple[str, ...], text: str) -> bool:
    return any(sign in text for sign in signs)


def calendar_dates(text: str) -> list[Span]:
    """Returns the calendar dates that a text names: days, weeks, months, seasons and years, the most exact first."""
    return _taken_out(text)[0]


def _taken_out(text: str) -> tuple[list[Span], str]:
    """Returns the calendar dates of a text, and the text without them."""
    found: list[Span | None] = []
    if not _has_any(_MONTHS + _OTHER_SIGNS, text.lower()):
        return [], text
    for pattern in (_compiled(rf"(?<!\w){each}(?!\w)") for each in _CALENDAR):
        found += [_calendar_span(match) for match in pattern.finditer(text)]
        text = pattern.sub(" , ", text)
    return [span for span in found if span is not None], text


def without_placing_words(text: str, *, today: date | None = None) -> str:
    """Returns a text without the words that can only place a time: "second" in "the second week of June", "mid-"."""
    for pattern in (*_PLACING, *([_PLACING_NEAR] if today else [])):
        text = _compiled(pattern).sub(" ", text)
    return text


def without_near_words(text: str) -> str:
    """Returns a text without "today" and "yesterday" where these place a time; before a noun ("the today screen") they name a thing."""
    if not _has_any(NEAR_WORDS, text.lower()):
        return text
    return _compiled(_NEAR).sub(lambda match: match[0] if _is_noun(match["next"]) else " ", text)


def _is_noun(word: str | None) -> bool:
    """True for a word that may be called after another one: one with a meaning, and not of a time."""
    small = (word or "").lower()
    return (
        bool(small) and small not in EMPTY_WORDS and small not in _PARTS_OF_DAY and not is_of_calendar(small)
    )


def _calendar_span(match: re.Match[str]) -> Span | None:
    parts = {name: value.lower() for name, value in match.groupdict().items() if value}
    month, day, season = parts.get("month"), parts.get("day"), parts.get("season")
    year = int(parts.get("year", _ANY_YEAR))
    number = _month_number(month) if month else _SEASONS[season] if season else 1
    try:
        first = date(year, number, int(day or 1))
    except ValueError:
        return None
    if unit := parts.get("unit"):
        return _span_before(unit, parts.get("count", "the"), first)
    last = first if day else _end_of_month(first) if month else date(year, 12, 31)
    if season:
        last = _end_of_season(first)
    first, last = _narrowed(first, last, parts)
    return Span(first, last, yearly="year" not in parts)


def _narrowed(first: date, last: date, parts: Mapping[str, str]) -> tuple[date, date]:
    """Returns the part of a month that was named: its middle, or one of its weeks."""
    week, part = parts.get("week"), parts.get("part") or parts.get("piece")
    if week == "last":
        return last.replace(day=last.day - 6), last
    if week:
        begin = 1 + 7 * _WEEKS[week]
        return first.replace(day=begin), first.replace(day=begin + 6)
    if part:
        begin, end = _PARTS[part]
        return first.replace(day=begin), first.replace(day=end or last.day)
    return first, last


def _end_of_season(first: date) -> date:
    months = first.month + 1
    return _end_of_month(date(first.year + months // 12, months % 12 + 1, 1))


def _span_before(unit: str, count: str, day: date) -> Span:
    """Returns what is so long before a day: "two weeks before" it, or "the Sunday before" it."""
    if unit in _WEEKDAYS:
        return _last_weekday(unit, day)
    if unit == "weekend":
        return _weekend(day, 1)
    return _unit_span(unit, _units_before(day, unit, int(count) if count.isdigit() else _COUNTS[count]))


def _month_number(name: str) -> int:
    return int(name) if name.isdigit() else _MONTHS.index(name[:3].lower()) + 1


def _end_of_month(day: date) -> date:
    if day.month == 12:
        return day.replace(day=31)
    return date.fromordinal(date(day.year, day.month + 1, 1).toordinal() - 1)


def is_of_calendar(word: str) -> bool:
    """Returns True for a folded word that times are made of: a number, a month, a season, a week."""
    times = rf"(?i:{_MONTH}|(?:{_ONES}|year|{'|'.join(_SEASONS)})s?)"
    return word.isdigit() or _compiled(times).fullmatch(word) is not None


def relative_dates(text: str, today: date | None) -> list[Span]:
    """Returns the dates that a text names relative to today, such as "last week"; none without `today`."""
    small = text.lower()
    if today is None or not _has_any(_RELATIVE_SIGNS, small):
        return []
    return [_relative_span(match.groupdict(), today) for match in _compiled(_RELATIVE).finditer(small)]


def _relative_span(parts: Mapping[str, str | None], today: date) -> Span:
    if weekday := parts["weekday"]:
        return _last_weekday(weekday, today)
    if near := parts["near"]:
        return _unit_span("day", _days_before(today, int(near != "today")))
    unit = parts["ago"] or parts["unit"] or ""
    word = parts["count"] or parts["which"] or ""
    count = int(word) if word.isdigit() else _COUNTS[word]
    if unit in _SEASONS:
        return _season(unit, today, count)
    return (
        _weekend(today, count) if unit == "weekend" else _unit_span(unit, _units_before(today, unit, count))
    )


def _last_weekday(weekday: str, today: date) -> Span:
    back = (today.weekday() - _WEEKDAYS.index(weekday) - 1) % 7 + 1
    return _unit_span("day", _days_before(today, back))


def _weekend(today: date, back: int) -> Span:
    """Returns the weekend of this week, or the last that was over before today."""
    behind = today.weekday() + 1 if back else today.weekday() - 6
    sunday = date.fromordinal(min(date.max.toordinal(), max(2, today.toordinal() - behind)))
    return Span(_days_before(sunday, 1), sunday)


def _season(name: str, today: date, back: int) -> Span:
    """Returns the season of this year, or the last of that name that began and ended before today."""
    years = range(max(1, today.year - 2), min(9998, today.year) + 1)
    spans = [
        Span(first, _end_of_season(first)) for first in (date(year, _SEASONS[name], 1) for year in years)
    ]
    over = [span for span in spans if span.last < today] if back else spans
    return (over or spans)[-1]


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
