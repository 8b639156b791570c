"""The server: takes requests apart, has them answered in threads, and sends the replies."""

import errno
import logging
import os
import socket
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import parse_qsl

import anyio
from anyio.to_thread import run_sync
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from modicum.app.memory.notes import STORE
from modicum.base.errors import ModicumError
from modicum.http.guard import Guard, is_loopback
from modicum.http.openapi import DOCUMENT
from modicum.http.people import Caller, Rate, TokenCheck
from modicum.http.replies import TEXT, Reply, RequestParts, failure, problem
from modicum.http.reply_cache import Cache, Key, Stamp
from modicum.http.routes import LARGEST_BODY, LARGEST_IMPORT, ROUTES, Route, RouteMatch, RouteTable, reply_to
from modicum.memory.engines.database import BrokenDatabase
from modicum.memory.model import Unusable
from modicum.memory.store import Store

READERS, WRITERS = 8, 4
BODY_SECONDS = 30
SMALL_BODY = 64 * 1024
DRAINED = 4 * LARGEST_IMPORT
DAY_SECONDS = 24 * 60 * 60

HEADERS = {
    "Server": "modicum",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}

NOT_FOUND = Reply(HTTPStatus.NOT_FOUND, b"404 page not found\n", TEXT)
NO_TOKEN = failure(HTTPStatus.SERVICE_UNAVAILABLE, "server authorization is not configured")
BUG = problem(
    HTTPStatus.INTERNAL_SERVER_ERROR,
    "this is a bug in modicum",
    "please report it with what the server printed",
)

Beside = Mapping[str, ASGIApp]  # other applications, by the path that is theirs
NOTHING_BESIDE: Beside = {}

_log = logging.getLogger(__name__)


class HttpApp:
    """The ASGI application."""

    def __init__(
        self,
        store: Store,
        guard: Guard = Guard(),  # noqa: B008 - frozen
        beside: Beside = NOTHING_BESIDE,
        rate: Rate = Rate(),  # noqa: B008 - a tuple
    ) -> None:
        self.store, self.guard, self.cache, self.beside = store, guard, Cache(), beside
        self.keeper = TokenCheck(store, guard, rate)
        self.table = RouteTable((*ROUTES, DOCUMENT))
        self.readers, self.writers = anyio.CapacityLimiter(READERS), anyio.CapacityLimiter(WRITERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            reply = await self._reply(Request(scope, receive), send)
        except ClientDisconnect:
            return
        if reply is None:
            return
        headers = {**HEADERS, **dict(reply.headers)}
        response = Response(reply.body, reply.status, headers, media_type=None)
        response.headers["Content-Type"] = reply.content_type
        await response(scope, receive, send)

    async def _reply(self, request: Request, send: Send) -> Reply | None:
        """The seam: whatever goes wrong becomes a reply here. None: another application has replied."""
        try:
            refused = self.guard.refusal(request.method, request.headers)
            if refused is None and (other := self.beside.get(request.scope["path"])):
                return await self._hand_over(other, request, send)
            return refused or await self._answer(request)
        except (ClientDisconnect, anyio.get_cancelled_exc_class()):
            raise
        except Exception:
            _log.exception("%s %s", request.method, request.url.path)
            return BUG

    async def _answer(self, request: Request) -> Reply:
        match = self.table.find(request.scope["raw_path"])
        if match is None:
            return NOT_FOUND
        route = match.routes.get("GET" if request.method == "HEAD" else request.method)
        if route is None:
            return _not_allowed(match)
        asked = RequestParts(match.names, _first_values(request.scope["query_string"]))
        if not route.writes:
            return await run_sync(self._admitted, request, route, asked, limiter=self.readers)
        return await self._written(request, route, asked)

    async def _written(self, request: Request, route: Route, asked: RequestParts) -> Reply:
        """Whoever is not let in does not get to send much."""
        caller = None
        if not _is_small(request):
            caller = await run_sync(self._let_in, request, route, limiter=self.writers)
        if isinstance(caller, Reply):
            return caller
        body = await _body(request, route.largest)
        if isinstance(body, Reply):
            return body
        whole = asked._replace(body=body)
        return await run_sync(self._write, request, route, whole, caller, limiter=self.writers)

    async def _hand_over(self, other: ASGIApp, request: Request, send: Send) -> Reply | None:
        """Let another application reply to a caller that we have let in: it finds the caller's store in the scope."""
        caller = await run_sync(self._admit, request, limiter=self.readers)
        if isinstance(caller, Reply):
            return caller
        body = await _body(request, LARGEST_BODY)
        if isinstance(body, Reply):
            return body
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            return messages.pop() if messages else await request.receive()

        await other({**request.scope, STORE: caller.store}, receive, _with_our_headers(send))
        return None

    def _admit(self, request: Request) -> Caller | Reply:
        try:
            address = request.client.host if request.client else ""
            return self.keeper.admit(request.url.path, request.headers, address)
        except Unusable as error:
            return Caller(
                type(self.store)(BrokenDatabase(error))
            )  # the routes have words of their own for that

    def _let_in(self, request: Request, route: Route) -> Caller | Reply:
        caller = self._admit(request)
        if isinstance(caller, Reply) or not route.needs_token or self.guard.token or caller.store.who.token:
            return caller
        return NO_TOKEN

    def _write(self, request: Request, route: Route, asked: RequestParts, caller: Caller | None) -> Reply:
        known = caller or self._let_in(request, route)
        return known if isinstance(known, Reply) else reply_to(route, known.store, asked)

    def _admitted(self, request: Request, route: Route, asked: RequestParts) -> Reply:
        caller = self._admit(request)
        return caller if isinstance(caller, Reply) else self._read(route, caller, asked)

    def _read(self, route: Route, caller: Caller, asked: RequestParts) -> Reply:
        store, stamp = caller.store, self._stamp(caller.version) if route.cached else None
        if stamp is None:
            return reply_to(route, store, asked)
        key: Key = (
            str(store.who.token),
            route.path,
            *asked.path.values(),
            *(part for pair in asked.query.items() for part in pair),
        )
        reply = self.cache.get(key, stamp)
        if reply is None:
            reply = reply_to(route, store, asked)
            if reply.status == HTTPStatus.OK:
                self.cache.put(key, stamp, reply)
        return reply

    def _stamp(self, version: int | None) -> Stamp | None:
        try:
            return self.store.version() if version is None else version, int(
                self.store.clock()
            ) // DAY_SECONDS
        except ModicumError:
            return None  # the routes have words of their own for that


def _is_small(request: Request) -> bool:
    """Whether a body is said to be so short that it may as well be read at once."""
    length = request.headers.get("content-length", "")
    return length.isascii() and length.isdigit() and int(length[:20]) <= SMALL_BODY


def _first_values(query: bytes) -> dict[str, str]:
    pairs = parse_qsl(query.decode("utf-8", "replace"), keep_blank_values=True, errors="replace")
    return dict(reversed(pairs))


def _not_allowed(match: RouteMatch) -> Reply:
    methods = {*match.routes, *(("HEAD",) if "GET" in match.routes else ())}
    allow = (("Allow", ", ".join(sorted(methods))),)
    return Reply(HTTPStatus.METHOD_NOT_ALLOWED, b"Method Not Allowed\n", TEXT, allow)


def _with_our_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *ours]}
        await send(message)

    return send_with_headers


async def _body(request: Request, largest: int) -> bytes | Reply:
    """The whole body, or what is wrong with it. What is too large is read to its end, so that the reply is heard."""
    chunks, size = [], 0
    try:
        with anyio.fail_after(BODY_SECONDS) as scope:
            async for chunk in request.stream():
                scope.deadline = anyio.current_time() + BODY_SECONDS  # for each part of it
                size += len(chunk)
                if size <= largest:
                    chunks.append(chunk)
                else:
                    chunks.clear()
                if size > DRAINED:
                    break
    except TimeoutError:
        close = (("Connection", "close"),)
        return problem(HTTPStatus.REQUEST_TIMEOUT, "the body did not arrive in time", "send it again", close)
    return b"".join(chunks) if size <= largest else _too_large(largest)


def _too_large(largest: int) -> Reply:
    if largest == LARGEST_BODY:
        remedy = f"send at most {LARGEST_BODY // 1024 // 1024} MiB"
        return problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the body is too large", remedy)
    words = (
        "failed to read body: http: request body too large" if largest == LARGEST_IMPORT else "invalid JSON"
    )
    return failure(HTTPStatus.BAD_REQUEST, words)


def bind(host: str, port: int) -> socket.socket:
    """A socket that is ours alone; a port that is taken is an error with a remedy."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only a socket that says TCP gets TCP_NODELAY from asyncio; without it each reply waits 40 ms for its second half.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        raise _unbound(error, host, port) from error
    return listening


def _unbound(error: Exception, host: str, port: int) -> ModicumError:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return ModicumError(f"port {port} is taken", remedy="stop who has it, or choose another with --port")
    return ModicumError(
        f"{host}:{port} cannot be opened: {error}", remedy="choose another with --host or --port"
    )


def guard_for(host: str, token: str, *, people: bool = False) -> Guard:
    """What a server at this address asks of its clients; `people` have tokens of their own."""
    if is_loopback(host):
        return Guard(token=token)
    if not token and not people:
        raise ModicumError(
            f"{host} can be reached from other machines, and there is no token",
            remedy="modicum team token new NAME makes one; or set MODICUM_TOKEN or --token-file, or stay at 127.0.0.1",
        )
    return Guard(hosts=None, token=token)


def run(door: HttpApp, listening: socket.socket) -> None:
    """Serve until somebody stops it."""
    import uvicorn

    config = uvicorn.Config(
        door,
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run(sockets=[listening])
