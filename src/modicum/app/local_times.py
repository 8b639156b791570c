"""Times for people: in the time zone of this machine, with its offset. JSON and agents get them as memory keeps them, in UTC."""

from datetime import datetime


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
