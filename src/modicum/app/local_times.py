"""Times for people: in the time zone of this machine, with its offset. JSON and agents get them as memory keeps them, in UTC."""

from collections.abc import Sequence
from datetime import datetime

_MINUTES = len("2026-11-15 18:43")


def local_time(stamp: str) -> str:
    """Returns a time of memory as people read it, in local time: `2026-11-15 18:43 +01:00`; odd ones as they are."""
    try:
        found = datetime.fromisoformat(stamp).astimezone()
    except (ValueError, OverflowError, OSError):
        return stamp[:16]
    return f"{found:%Y-%m-%d %H:%M} {found.isoformat()[-6:]}"


def local_day(stamp: str) -> str:
    """Returns the day of a time of memory in local time: `2026-11-15`."""
    return local_time(stamp)[:10]


def same_offset(times: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Returns the offset that all of some local times share, and the times without it; else "", and the times as they are."""
    offsets = {time[_MINUTES:].strip() for time in times}
    if len(offsets) != 1 or not all(offsets):
        return "", tuple(times)
    return offsets.pop(), tuple(time[:_MINUTES] for time in times)
