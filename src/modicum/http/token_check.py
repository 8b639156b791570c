"""The token check: finds the caller of an HTTP request by what it proves, a token or a cookie of the page, or refuses it."""

import time
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from modicum.app.memory.callers import is_for_page_only, is_persons_token, store_for_token, token_needed
from modicum.http.guard import Guard, HeaderMap, bearer_token, same_token
from modicum.http.limits.requests import Rate, RateLimiter
from modicum.http.replies import Problem

if TYPE_CHECKING:
    from modicum.memory.store import Store

RECHECK_SECONDS = 1.0

PersonOf = Callable[
    ["Store", HeaderMap], "Store | None"
]  # finds who has opened the page, by the headers of a request

CHALLENGE = (("WWW-Authenticate", 'Bearer realm="modicum"'),)
OF_A_PERSON = Problem(
    HTTPStatus.FORBIDDEN,
    "this token signs a person in to the page, and opens nothing else",
    "modicum team token new NAME makes one for agents",
)
NOT_OPENED = Problem(
    HTTPStatus.UNAUTHORIZED,
    "this page opens from a terminal",
    "run modicum open in a terminal on the machine of this server",
)


class RequestCaller(NamedTuple):
    """The caller that a token check found: the store as the caller may see it, and its version if read.

    `is_person` says that it has the cookie of a page that was opened from a terminal, or with a person's token.
    """

    store: "Store"
    version: int | None = None
    showed_token: bool = False
    is_person: bool = False


class TokenCheck:
    """Checks the tokens of HTTP requests. While a person has a token, every request needs one."""

    def __init__(self, store: "Store", guard: Guard, rate: Rate = Rate()) -> None:  # noqa: B008 - a tuple
        self.store, self.guard, self.limiter = store, guard, RateLimiter(rate)
        self._people_have_tokens, self._checked = False, 0.0

    def admit(
        self, headers: HeaderMap, address: str, *, is_open: bool = False, person_of: PersonOf | None = None
    ) -> RequestCaller | Problem:
        """Checks what a request proves; returns the caller, or the problem. An open route needs no token.

        With `person_of` the request is for a page, which only a person is shown; a token can do no more there than sign in.
        """
        if is_open and not self.guard.token:
            return RequestCaller(self.store)
        given = bearer_token(headers)
        caller = self._person(headers, given, person_of) if person_of else self._caller(given)
        limited = caller is None or caller.store.who.token
        wait = self.limiter.wait(_name(caller, address)) if limited else 0.0
        if wait:
            retry = (("Retry-After", str(max(1, round(wait)))),)
            return Problem(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", "wait, then go on", retry)
        if caller is None and person_of and not given:
            return NOT_OPENED
        if caller is None:
            remedy = "send Authorization: Bearer with a token of this server"
            return Problem(HTTPStatus.UNAUTHORIZED, "the token is missing or wrong", remedy, CHALLENGE)
        if not person_of and is_for_page_only(caller.store):
            return OF_A_PERSON
        return caller

    def _person(self, headers: HeaderMap, given: str, person_of: PersonOf) -> RequestCaller | None:
        if store := person_of(self.store, headers):
            return RequestCaller(store, showed_token=True, is_person=True)
        caller = self._caller(given) if given else None
        return caller if caller and caller.showed_token else None

    def _caller(self, given: str) -> RequestCaller | None:
        if self.guard.token and same_token(given, self.guard.token):
            return RequestCaller(self.store, showed_token=True)
        store, version = store_for_token(self.store, given) if given else (None, None)
        if store:
            return RequestCaller(store, version, showed_token=True)
        # A revoked token must not open more than it did, even where none is needed.
        if self.guard.token or is_persons_token(given) or self._needs_token():
            return None
        return RequestCaller(self.store)

    def _needs_token(self) -> bool:
        if self.guard.is_reachable:
            return True  # from other machines, and so even if the last token is revoked
        now = time.monotonic()
        if now - self._checked > RECHECK_SECONDS:
            self._people_have_tokens = token_needed(self.store)
            self._checked = now
        return self._people_have_tokens


def _name(caller: RequestCaller | None, address: str) -> str:
    return f"address {address}" if caller is None else f"person {caller.store.who.name}"
