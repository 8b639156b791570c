"""Finds the notes of the time that a search names: a day, a week, a month, a season, in this year or others."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import islice

from modicum.memory.engines.database import Transaction
from modicum.memory.model import Query
from modicum.memory.tables.notes import LIVE
from modicum.memory.tables.sql import condition, select
from modicum.search.dates import Span
from modicum.search.features import SOON_DAYS

LONGEST = 100  # days: in a longer time, nearly all notes of a question would be of it
YEARS = 4  # in which "June" is looked for, the last first
MOST_WINDOWS = 6
MOST_DATED = 60  # notes that are fetched


def windows(spans: Iterable[Span], today: date) -> list[tuple[str, str]]:
    """Returns the spans of time in which dated notes are sought: the first day and the day behind the last, latest years first.

    What happened then may be told a week later.
    """
    found = (_window(span) for each in spans for span in _in_years(each, today))
    return list(dict.fromkeys(islice(found, MOST_WINDOWS)))


def _in_years(span: Span, today: date) -> Iterator[Span]:
    if (span.last - span.first).days > LONGEST:
        return
    if not span.yearly:
        yield span
        return
    length = span.last - span.first
    for year in range(today.year, max(0, today.year - YEARS), -1):
        first = _in_year(span.first, year)
        if first <= today:
            yield Span(first, min(first + length, today))


def _in_year(day: date, year: int) -> date:
    return date.fromordinal(date(year, day.month, 1).toordinal() + day.day - 1)


def _window(span: Span) -> tuple[str, str]:
    behind = min(date.max.toordinal(), span.last.toordinal() + 1 + SOON_DAYS)
    return span.first.isoformat(), date.fromordinal(behind).isoformat()


def dated(
    tx: Transaction, queries: Iterable[Query], times: Sequence[tuple[str, str]], upto: int
) -> list[int]:
    """Returns the ids of dated notes: those that queries ask for, made in these times, the first of each first."""
    found: dict[int, None] = {}
    for query in queries:
        for first, behind in times:
            where = condition(
                query, always=(LIVE, "id <= :upto", "created_at >= :first", "created_at < :behind")
            )
            rest = (where.text, "ORDER BY created_at, id LIMIT :most")
            values = {"upto": upto, "first": first, "behind": behind, "most": MOST_DATED}
            rows = tx.rows(select(("id",), "notes", "WHERE", *rest), {**where.values, **values})
            found |= dict.fromkeys(number for (number,) in rows)
    return list(found)[:MOST_DATED]
