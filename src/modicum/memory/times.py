"""Times as memory keeps them: UTC, to the millisecond, as text that sorts by time."""

import time

from modicum.memory.model import Refused

DAY_SECONDS = 24 * 60 * 60
LONGEST_TOLD = 60


def stamp(seconds: float) -> str:
    """Returns a time as memory keeps it: `2026-11-15T17:43:25.123Z`."""
    milliseconds = round(seconds * 1000)
    return (
        f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(milliseconds // 1000))}.{milliseconds % 1000:03}Z"
    )


def latest_time(now: float) -> str:
    """Returns the latest time that memory accepts from other machines: clocks may differ by a day."""
    return stamp(now + DAY_SECONDS)


def parse_time(text: str, *, end: bool = False) -> str:
    """Parses any usual spelling of a time into that of memory; a day means its start, or its `end`."""
    from datetime import UTC, datetime, timedelta

    day_only = len(text.strip()) <= len("2026-11-15")
    try:
        found = datetime.fromisoformat(text.strip()) + timedelta(days=end and day_only)
        moment = found.astimezone(UTC) if found.tzinfo else found
    except (ValueError, OverflowError):
        raise Refused(
            f'"{text[:LONGEST_TOLD]}" is no time', remedy="write it like 2026-11-15 or 2026-11-15T17:43:25Z"
        ) from None
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"
