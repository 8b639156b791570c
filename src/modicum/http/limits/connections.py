"""Limits the connections of the HTTP server: how many, how large a header is and how long it takes.

Nobody has shown a token at that point, so whatever is not bounded here can be used up by anybody who reaches
the port.
"""

import asyncio
import logging
import re
from http import HTTPStatus
from typing import Any, NamedTuple

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from modicum.http.replies import Problem, problem_reply

RESERVED_FILES = 96  # for the database, the log, and connections that are accepted at one moment
FEWEST_CONNECTIONS, MOST_CONNECTIONS = 16, 1_000
MOST_PIPELINED = 16  # requests that wait for the reply to one before them, on one connection

TOO_MANY = Problem(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections", "try again in a moment")
LONG_HEADER = Problem(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the header is too large", "put long texts into a body"
)
SLOW_HEADER = Problem(HTTPStatus.REQUEST_TIMEOUT, "the header did not arrive in time", "send it again")

_NOT_ASCII = re.compile(rb"[\x80-\xff]")

_log = logging.getLogger(__name__)


class ConnectionLimits(NamedTuple):
    """The limits of an HTTP server's connections: how many, and the bytes and seconds of a header."""

    connections: int = MOST_CONNECTIONS
    header_bytes: int = 128 * 1024
    header_seconds: float = 10.0


def usual_limits() -> ConnectionLimits:
    """Returns the usual limits of the server's connections, which fit the number of files this process may open."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit
    except ImportError:  # Windows, where files do not limit connections
        return ConnectionLimits()
    files = getrlimit(RLIMIT_NOFILE)[0]
    if files == RLIM_INFINITY:
        return ConnectionLimits()
    return ConnectionLimits(max(FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, files - RESERVED_FILES)))


class Connections:
    """The connections of the HTTP server that wait for the rest of a request, the longest waiting one first."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.waiting: dict[BoundedProtocol, None] = {}


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol for a connection, with limits on everything before a request is complete.

    If there is one connection too many, the one that has waited longest for a header or a body is closed: a client
    that opens connections and sends nothing, or half of a request, shuts out itself and nobody else.
    """

    def __init__(self, *args: Any, shared: Connections, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*args, **kwargs)
        self._shared = shared
        self._bytes = 0  # since the last header or part of a body that was complete
        self._in_header = self._in_first_line = True
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows it, too
        super().connection_made(transport)
        self._shared.waiting[self] = None
        self._start_timer()
        if len(self.connections) > self._shared.limits.connections:
            self._make_room()

    def _make_room(self) -> None:
        longest = next(iter(self._shared.waiting))
        _log.warning("more than %d connections", self._shared.limits.connections)
        if longest is self:
            self._refuse(TOO_MANY)
        else:
            longest._drop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_header:
            self._start_timer()
            data = self._with_ascii_first_line(data)
        self._bytes += len(data)
        super().data_received(data)
        if self._bytes > self._shared.limits.header_bytes and not self.transport.is_closing():
            # While a reply is being sent there is no place for another one.
            if self._in_header:
                self._refuse(LONG_HEADER)
            else:
                self._drop()

    def _with_ascii_first_line(self, data: bytes) -> bytes:
        """Percent-encodes what is not ASCII in a URL. The parser refuses it, and people type it."""
        if not self._in_first_line:
            return data
        line, end, rest = data.partition(b"\n")
        self._in_first_line = not (end and line.strip())
        return _NOT_ASCII.sub(lambda found: b"%%%02X" % found[0][0], line) + end + rest

    def on_headers_complete(self) -> None:
        self._bytes = 0
        self._in_header = False
        self._stop_timer()
        if len(self.pipeline) >= MOST_PIPELINED:
            self._drop()
        if not self.transport.is_closing():  # what else has arrived is still parsed
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._bytes = 0
        self._shared.waiting.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._in_header = self._in_first_line = True
            self._shared.waiting[self] = None

    def _start_timer(self) -> None:
        if self._timer is None:
            seconds = self._shared.limits.header_seconds
            self._timer = self.loop.call_later(seconds, self._refuse, SLOW_HEADER)

    def _stop_waiting(self) -> None:
        self._shared.waiting.pop(self, None)
        self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, problem: Problem) -> None:
        """Sends the problem and closes the connection."""
        self._stop_waiting()
        if self.transport.is_closing():
            return
        reply = problem_reply(problem)
        head = f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}\r\nContent-Type: {reply.content_type}\r\n"
        head += f"Content-Length: {len(reply.body)}\r\nConnection: close\r\n\r\n"
        self.transport.write(head.encode("ascii") + reply.body)
        self.transport.close()

    def _drop(self) -> None:
        self._stop_waiting()
        self.transport.abort()
