"""The rate limit: how many HTTP requests a second each person may make."""

import time
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

MOST_NAMES = 10_000


class Rate(NamedTuple):
    """The rate limit of one person: requests a second, and how many at once after a pause. Zero: none."""

    per_second: float = 0.0
    at_once: float = 0.0


class RateLimiter:
    """Limits the rate of each person's requests on this server; unused requests are saved up to a bound."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.clock = rate, clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def wait(self, name: str) -> float:
        """Counts a person's request. Returns 0, or the seconds to wait if the rate limit is passed."""
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
