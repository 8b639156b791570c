"""Tells open Live screens, by server-sent events, that the log of what agents were handed has grown."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from modicum.app.memory.notes import STORE

if TYPE_CHECKING:
    from modicum.app.session.handed_log_reader import LogPlace

PATH = "/web/live/events"
LOOK_SECONDS = 0.5
SIGN_SECONDS = 15.0  # between signs of life, by which a connection that is gone is noticed
MOST_LISTENERS = 32
MOST_OF_ONE = 8  # of one program, so that none keeps the pages of others out
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def _end_of_log(data: Path) -> "LogPlace":
    from modicum.app.session.handed_log_reader import end_of_log  # a server starts without it

    return end_of_log(data)


class Listener(asyncio.Event):
    """An open page or program that listens to live events: set when there is something to tell, or it has to go."""

    def __init__(self, program: str) -> None:
        super().__init__()
        self.program = program
        self.must_go = False


class LiveEvents:
    """The ASGI application of live events. One task looks at the log for all listeners, while there are any.

    Nothing that a program says about itself is proven, so no name of a program can keep others out: where all places are
    taken, who has none yet gets the longest held one of the program that has most.
    """

    def __init__(self, data: Path) -> None:
        self.data = data
        self.place: LogPlace | None = None
        self.listeners: dict[Listener, None] = {}  # the longest listening first
        self.looking: asyncio.Task[None] | None = None
        self.is_closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        if refused:
            return await refused(scope, receive, send)
        listener = Listener(_program(scope))
        # Before anything is awaited, or more than the most could come at one moment.
        self.listeners[listener] = None
        try:
            events = self._events(listener)
            await StreamingResponse(events, headers=HEADERS, media_type="text/event-stream")(
                scope, receive, send
            )
        finally:
            self.listeners.pop(listener, None)

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["method"] != "GET":
            return Response("use GET\n", HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": "GET"}, "text/plain")
        if scope[STORE].who.token:
            return Response("this log is the owner's\n", HTTPStatus.FORBIDDEN, media_type="text/plain")
        if self.is_closed or not self._has_place(_program(scope)):
            later = {"Retry-After": "30"}
            return Response("too many pages listen\n", HTTPStatus.SERVICE_UNAVAILABLE, later, "text/plain")
        return None

    def _has_place(self, program: str) -> bool:
        """Whether one more listener of a program finds a place, if need be one of another program that has more."""
        held = Counter(listener.program for listener in self.listeners)
        if held[program] >= MOST_OF_ONE:
            return False
        if len(self.listeners) < MOST_LISTENERS:
            return True
        most, places = held.most_common(1)[0]
        if places <= held[program]:
            return False
        oldest = next(listener for listener in self.listeners if listener.program == most)
        oldest.must_go = True
        oldest.set()
        del self.listeners[oldest]
        return True

    def close(self) -> None:
        """Ends all live events, so that a server that stops need not wait for its listeners."""
        self.is_closed = True
        for listener in self.listeners:
            listener.set()

    async def _events(self, listener: Listener) -> AsyncIterator[str]:
        place = _end_of_log(self.data)
        if self.looking is None:  # it looks for what comes behind the place that is told now
            self.place = place
            self.looking = asyncio.create_task(self._look())
        yield f"retry: 2000\n\ndata: {place}\n\n"
        while not (self.is_closed or listener.must_go):
            yield await self._next(listener)

    async def _next(self, listener: Listener) -> str:
        with suppress(TimeoutError):
            await asyncio.wait_for(listener.wait(), SIGN_SECONDS)
        has_grown = listener.is_set() and not (self.is_closed or listener.must_go)
        listener.clear()
        return f"data: {self.place}\n\n" if has_grown else ": still here\n\n"

    async def _look(self) -> None:
        try:
            while self.listeners and not self.is_closed:
                await asyncio.sleep(LOOK_SECONDS)
                place = _end_of_log(self.data)
                if place != self.place:
                    self.place = place
                    for listener in self.listeners:
                        listener.set()
        finally:
            self.looking = None


def _program(scope: Scope) -> str:
    """What tells programs apart: where they are, whose cookies or token they have, and what they call themselves."""
    said = Headers(scope=scope)
    address = (scope.get("client") or ("",))[0]
    return "\n".join((address, *(said.get(name, "") for name in ("authorization", "cookie", "user-agent"))))
