"""Limits the server's log: a message of one kind is written once a minute, with a count of those left out."""

import logging
import time
from collections.abc import Callable

SECONDS = 60.0
MOST_KINDS = 1_000

_Kind = tuple[str, int, str, str]


class OncePerMinute(logging.Filter):
    """A log filter that limits each kind of message to one a minute.

    Messages are of one kind if they have the same logger, level, template and class of error.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.clock = clock
        self._seen: dict[_Kind, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns True if the server writes a log message; adds how many of its kind were left out before."""
        kind, now = _kind(record), self.clock()
        since, left_out = self._seen.get(kind, (-SECONDS, 0))
        if now - since < SECONDS:
            self._seen[kind] = (since, left_out + 1)
            return False
        if len(self._seen) >= MOST_KINDS:
            self._seen.clear()
        self._seen[kind] = (now, 0)
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more of this kind before)", None
        return True


def _kind(record: logging.LogRecord) -> _Kind:
    error = record.exc_info[0] if record.exc_info else None
    return record.name, record.levelno, str(record.msg), error.__name__ if error else ""


def limit_log() -> None:
    """Writes the log to standard error, each kind of message once a minute, unless logging is set up."""
    root = logging.getLogger()
    if not root.handlers:
        handler = logging.StreamHandler()
        handler.addFilter(OncePerMinute())
        root.addHandler(handler)
