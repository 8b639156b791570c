"""Limits the connections of the HTTP server: how many, how large a header is and how long it takes.

Nobody has shown a token at that point, so whatever is not bounded here can be used up by anybody who reaches
the port.
"""

import asyncio
import logging
import re
from http import HTTPStatus
from typing import Any, NamedTuple

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from modicum.http.replies import Problem, problem_reply

RESERVED_FILES = 96  # for the database, the log, and connections that are accepted at one moment
FEWEST_CONNECTIONS, MOST_CONNECTIONS = 16, 1_000
MOST_PIPELINED = (
    16  # requests that wait for the reply to one before them; what comes behind them is not read yet
)
PIECE = (
    4096  # bytes that are read at once: a request has at least 18, so that few more than the most can wait
)

TOO_MANY = Problem(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections", "try again in a moment")
LONG_HEADER = Problem(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the header is too large", "put long texts into a body"
)
NOT_HTTP = Problem(HTTPStatus.BAD_REQUEST, "this is not HTTP", "send a request of HTTP/1.1")
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


class _Flow(FlowControl):
    """uvicorn's flow of a connection, which stays paused while something that was read waits to be parsed."""

    is_held = False

    def resume_reading(self) -> None:
        if not self.is_held:
            super().resume_reading()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol for a connection, with limits on everything before a request is complete.

    If there is one connection too many, the one that has waited longest for a header or a body is closed: a client
    that opens connections and sends nothing, or half of a request, shuts out itself and nobody else. Requests that
    are sent without waiting for replies are all answered, in their order; only some of them are parsed ahead.
    """

    flow: _Flow

    def __init__(self, *args: Any, shared: Connections, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*args, **kwargs)
        self._shared = shared
        self._bytes = 0  # since the last header or part of a body that was complete
        self._in_header = self._in_first_line = True
        self._timer: asyncio.TimerHandle | None = None
        self._held = bytearray()  # read, and not parsed yet
        self._last: Problem | None = None  # what is still said once all before it are answered

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows it, too
        super().connection_made(transport)
        self.flow = _Flow(transport)
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
        if self._last is None:
            self._held += data
            self._parse_held()

    def _parse_held(self) -> None:
        """Parses what was read, as far as there is room for more requests; reads on once all of it is parsed."""
        while self._held and self._may_parse():
            piece = bytes(self._held[:PIECE])
            del self._held[:PIECE]
            self._parse(piece)
        self.flow.is_held = bool(self._held) or self._last is not None
        if self.flow.is_held:
            self._stop_timer()  # it is us who wait
            self.flow.pause_reading()
        elif not self.pipeline:
            self.flow.resume_reading()

    def _may_parse(self) -> bool:
        return self._last is None and len(self.pipeline) < MOST_PIPELINED and not self.transport.is_closing()

    def _parse(self, data: bytes) -> None:
        if self._in_header:
            self._start_timer()
            data = self._with_ascii_first_line(data)
        self._bytes += len(data)
        super().data_received(data)
        if self._bytes > self._shared.limits.header_bytes and not self.transport.is_closing():
            # In the middle of a body there is no place for a reply.
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
        self._in_header = self._in_first_line = False
        self._stop_timer()
        if not self.transport.is_closing():  # what else has arrived is still parsed
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._bytes = 0
        self._in_header = self._in_first_line = True  # of the next request
        self._shared.waiting.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            return
        if self._is_answered():
            self._shared.waiting[self] = None
        if self._last is None:
            self._parse_held()
        elif self._is_answered():
            self._refuse(self._last)

    def _is_answered(self) -> bool:
        """Whether every request that was parsed has its reply."""
        return self.cycle is None or self.cycle.response_complete

    def send_400_response(self, msg: str) -> None:
        if not self._in_header and self.pipeline:
            self.pipeline.popleft()  # the request in whose body the mistake is; those before it get their replies
        self._refuse(NOT_HTTP)

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
        """Sends the problem and closes the connection, once all requests before are answered."""
        self._stop_waiting()
        if self.transport.is_closing():
            return
        if self._in_header and not self._is_answered():
            self._last = problem
            self._held.clear()
            return
        reply = problem_reply(problem)
        head = f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}\r\nContent-Type: {reply.content_type}\r\n"
        head += f"Content-Length: {len(reply.body)}\r\nConnection: close\r\n\r\n"
        self.transport.write(head.encode("ascii") + reply.body)
        self.transport.close()

    def _drop(self) -> None:
        self._stop_waiting()
        self.transport.abort()
