"""How many requests a second each person may make."""

import time
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

MOST_NAMES = 10_000


class Rate(NamedTuple):
    """Requests a second for one person, and how many at once after a pause. Zero is no limit."""

    per_second: float = 0.0
    at_once: float = 0.0


class RateLimiter:
    """Counts the requests of each person on this server. What a person does not use is saved up, to a bound."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.clock = rate, clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def wait(self, name: str) -> float:
        """Counts a request. Returns 0 if it may go on, or the seconds until the next one may."""
        if self.rate.per_second <= 0:
            return 0.0
        now, most = self.clock(), max(1.0, self.rate.at_once)
        with self._lock:
            left, since = self._left.get(name, (most, now))
            left = min(most, left + (now - since) * self.rate.per_second)
            if len(self._left) >= MOST_NAMES:
                self._left.clear()
            self._left[name] = (left - 1 if left >= 1 else left, now)
        return 0.0 if left >= 1 else (1 - left) / self.rate.per_second
