"""Tells open Live screens, by server-sent events, that the log of what agents were handed has grown."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from modicum.app.memory.notes import STORE

if TYPE_CHECKING:
    from modicum.app.session.handed_log_reader import LogPlace

PATH = "/web/live/events"
LOOK_SECONDS = 0.5
SIGN_SECONDS = 15.0  # between signs of life, by which a connection that is gone is noticed
MOST_LISTENERS = 32
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def _end_of_log(data: Path) -> "LogPlace":
    from modicum.app.session.handed_log_reader import end_of_log  # a server starts without it

    return end_of_log(data)


class LiveEvents:
    """The ASGI application of live events. One task looks at the log for all listeners, while there are any."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.place: LogPlace | None = None
        self.listeners: set[asyncio.Event] = set()
        self.looking: asyncio.Task[None] | None = None
        self.is_closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        if refused:
            return await refused(scope, receive, send)
        listener = asyncio.Event()
        self.listeners.add(
            listener
        )  # before anything is awaited, or more than the most could come at one moment
        try:
            events = self._events(listener)
            await StreamingResponse(events, headers=HEADERS, media_type="text/event-stream")(
                scope, receive, send
            )
        finally:
            self.listeners.discard(listener)

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["method"] != "GET":
            return Response("use GET\n", HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": "GET"}, "text/plain")
        if scope[STORE].who.token:
            return Response("this log is the owner's\n", HTTPStatus.FORBIDDEN, media_type="text/plain")
        if self.is_closed or len(self.listeners) >= MOST_LISTENERS:
            later = {"Retry-After": "30"}
            return Response("too many pages listen\n", HTTPStatus.SERVICE_UNAVAILABLE, later, "text/plain")
        return None

    def close(self) -> None:
        """Ends all live events, so that a server that stops need not wait for its listeners."""
        self.is_closed = True
        for listener in self.listeners:
            listener.set()

    async def _events(self, listener: asyncio.Event) -> AsyncIterator[str]:
        place = _end_of_log(self.data)
        if self.looking is None:  # it looks for what comes behind the place that is told now
            self.place = place
            self.looking = asyncio.create_task(self._look())
        yield f"retry: 2000\n\ndata: {place}\n\n"
        while not self.is_closed:
            yield await self._next(listener)

    async def _next(self, listener: asyncio.Event) -> str:
        with suppress(TimeoutError):
            await asyncio.wait_for(listener.wait(), SIGN_SECONDS)
        has_grown = listener.is_set() and not self.is_closed
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
