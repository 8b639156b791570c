"""The screen of what agents were handed: the latest texts as they go out, and sums of each day."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from modicum.app.memory.notes import find_note
from modicum.app.session.handed_log_reader import (
    HandedDay,
    HandedLine,
    LogPlace,
    end_of_log,
    handed_between,
    handed_by_day,
    parse_place,
)
from modicum.base.errors import ModicumError
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Note
from modicum.web.answer import page

MOST_SHOWN = 100
MOST_NOTES = 8  # of one text, with their titles
WIDTH = 100
DOORS = {"hook": "hook", "mcp": "tool", "http": "HTTP"}


class DayBar(NamedTuple):
    """A day on the Live screen with its bar: for each door where its piece starts, and its width."""

    day: HandedDay
    pieces: tuple[tuple[str, float, float, int], ...]


def live(request: ApiRequest) -> Reply:
    """Replies with the Live screen of what agents were handed; `part` is what came behind the place `after`."""
    data = request.require_config().data
    is_part = request.text("part") == "1"
    end = end_of_log(data)
    lines = handed_between(
        data, parse_place(request.text("after")) if is_part else LogPlace(), end, MOST_SHOWN
    )
    return page(
        request,
        "live_part.html" if is_part else "live.html",
        screen="live",
        lines=lines,
        notes=_notes(request, lines),
        days=_bars(handed_by_day(data)),
        place=end,
        doors=DOORS,
        most_shown=MOST_SHOWN,
        most_notes=MOST_NOTES,
        events="/web/live/events",
    )


def _notes(request: ApiRequest, lines: Iterable[HandedLine]) -> Mapping[int | str, Note]:
    """The notes that lines name. One that is gone, or that another server has, is not there."""
    found = {}
    for name in {name for line in lines if not line.is_remote for name in line.notes[:MOST_NOTES]}:
        with suppress(ModicumError):
            found[name] = find_note(request.store, name)
    return found


def _bars(days: Iterable[HandedDay]) -> list[DayBar]:
    listed = list(days)
    most = max((day.tokens for day in listed), default=0) or 1
    return [DayBar(day, tuple(_pieces(day, most))) for day in listed]


def _pieces(day: HandedDay, most: int) -> Iterable[tuple[str, float, float, int]]:
    start = 0.0
    for door, tokens in day.by_door:
        yield door, start, tokens * WIDTH / most, tokens
        start += tokens * WIDTH / most
