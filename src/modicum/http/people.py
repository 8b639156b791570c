"""Who a request comes from: the holder of a token, seen with what that may see, and not too often."""

import time
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock
from typing import NamedTuple

import msgspec

from modicum.http.guard import Guard, Headers, bearer, same
from modicum.http.replies import Reply, RequestParts, ok, problem
from modicum.memory.model import Query
from modicum.memory.people.tokens import has_tokens, known
from modicum.memory.store import Store
from modicum.memory.tables.audit import MOST

OPEN = ("/health",)  # a balancer asks without a token
RECHECK_SECONDS = 1.0
MOST_KNOWN = 10_000
CHALLENGE = (("WWW-Authenticate", 'Bearer realm="modicum"'),)


class Rate(NamedTuple):
    """How many requests a second one person may make, and how many at once after a pause. Zero is no limit."""

    per_second: float = 0.0
    at_once: float = 0.0


class Limiter:
    """Counts the requests of each person on this server; what is not used up to now is kept, up to a bound."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.clock = rate, clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def wait(self, name: str) -> float:
        """Count a request: zero if it may go on, or the seconds until the next one may."""
        if self.rate.per_second <= 0:
            return 0.0
        now, most = self.clock(), max(1.0, self.rate.at_once)
        with self._lock:
            left, since = self._left.get(name, (most, now))
            left = min(most, left + (now - since) * self.rate.per_second)
            if len(self._left) >= MOST_KNOWN:
                self._left.clear()
            self._left[name] = (left - 1 if left >= 1 else left, now)
        return 0.0 if left >= 1 else (1 - left) / self.rate.per_second


class Caller(NamedTuple):
    """The store as somebody may see it, and its version when they were let in, if that was asked for."""

    store: Store
    version: int | None = None


class TokenCheck:
    """Lets people in. As soon as there is one token, everybody needs one."""

    def __init__(self, store: Store, guard: Guard, rate: Rate = Rate()) -> None:  # noqa: B008 - a tuple
        self.store, self.guard, self.limiter = store, guard, Limiter(rate)
        self._strict, self._checked = False, 0.0

    def admit(self, path: str, headers: Headers, address: str) -> Caller | Reply:
        """Who this is, or why they are not let in."""
        if path in OPEN and not self.guard.token:
            return Caller(self.store)
        found = self._found(bearer(headers))
        wait = self.limiter.wait(_name(found, address)) if found is None or found.store.who.token else 0.0
        if wait:
            retry = (("Retry-After", str(max(1, round(wait)))),)
            return problem(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", "wait, then go on", retry)
        if found is None:
            remedy = "send Authorization: Bearer with a token of this server"
            return problem(HTTPStatus.UNAUTHORIZED, "the token is missing or wrong", remedy, CHALLENGE)
        return found

    def _found(self, given: str) -> Caller | None:
        if self.guard.token and same(given, self.guard.token):
            return Caller(self.store)
        person, version = known(self.store.database, given) if given else (None, None)
        if person:
            return Caller(self.store.seen_by(person), version)
        return None if self.guard.token or self._needs_token() else Caller(self.store)

    def _needs_token(self) -> bool:
        now = time.monotonic()
        if not self._strict and now - self._checked > RECHECK_SECONDS:
            self._strict = has_tokens(self.store.database)
            self._checked = now
        return self._strict


def _name(found: Caller | None, address: str) -> str:
    return f"address {address}" if found is None else f"person {found.store.who.name}"


class AuditEntry(msgspec.Struct):
    """Who did what, and when."""

    id: int
    at: str
    person: str
    action: str
    kind: str
    item: str
    project: str
    title: str


class Audit(msgspec.Struct):
    """What was done, the latest first."""

    entries: list[AuditEntry]
    next: str | None


def audit(store: Store, asked: RequestParts) -> Reply:
    query = Query(
        project=asked.text("project"), limit=min(asked.whole("limit", 50), MOST), cursor=asked.text("cursor")
    )
    found = store.audit(query, person=asked.text("person"))
    return ok(Audit([AuditEntry(*entry) for entry in found.items], found.next or None))
