"""The HTTP server's ASGI application: guards, routes, request bodies, and replies made in threads."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, unquote, unquote_to_bytes

from starlette import routing
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from modicum.app.memory.callers import broken_store, over_http
from modicum.app.memory.notes import STORE
from modicum.app.session.handed_log import log_handed
from modicum.base.errors import ModicumError
from modicum.http.guard import Guard
from modicum.http.limits.requests import Rate
from modicum.http.replies import Problem, Reply, problem_reply
from modicum.http.reply_cache import Key, ReplyCache, Stamp
from modicum.http.request import ApiRequest
from modicum.http.routes import (
    LARGEST_BODY,
    LazyTable,
    Route,
    RouteTable,
    by_path,
    loaded,
    paths_beside_prefix,
)
from modicum.http.threads import RequestThreads
from modicum.http.token_check import RequestCaller, TokenCheck
from modicum.memory.model import HOOK_AGENT, Unusable

if TYPE_CHECKING:
    from modicum.base.config import Config
    from modicum.memory.store import Store

# Threads. In a file they wait for each other and for one writer, and each has a connection that keeps pages (record 141).
READERS, WRITERS = 4, 2
READERS_OF_A_TEAM, WRITERS_OF_A_TEAM = 6, 6
BODY_SECONDS = 30
SMALL_BODY = 64 * 1024
MOST_DRAINED = 200 * 1024 * 1024
DAY_SECONDS = 24 * 60 * 60

HEADERS = {
    "Server": "modicum",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",  # pages have a wider one
}

OPENAPI = "/openapi.json"
NO_ROUTE = Problem(HTTPStatus.NOT_FOUND, "there is no such route", f"{OPENAPI} lists the routes")
LATE_BODY = Problem(
    HTTPStatus.REQUEST_TIMEOUT,
    "the body did not arrive in time",
    "send it again",
    (("Connection", "close"),),
)
BUG = Problem(
    HTTPStatus.INTERNAL_SERVER_ERROR,
    "this is a bug in modicum",
    "please report it with what the server printed",
)

Beside = Mapping[str, ASGIApp]  # other applications, by the path that is theirs
Refuse = Callable[[Problem], Reply]
NOTHING_BESIDE: Beside = {}

_log = logging.getLogger(__name__)


def _own_routes() -> RouteTable:
    from modicum.http.v1.routes import V1

    return V1


OWN_TABLE = LazyTable("/v1", _own_routes)


def _openapi_routes(tables: Sequence[RouteTable | LazyTable]) -> RouteTable:
    from modicum.http.openapi import openapi_table

    return openapi_table(OPENAPI, tables)


class HttpApp:
    """The ASGI application of the HTTP server. The last of its `tables` refuses unknown paths."""

    def __init__(
        self,
        store: "Store",
        guard: Guard = Guard(),  # noqa: B008 - frozen
        beside: Beside = NOTHING_BESIDE,
        rate: Rate = Rate(),  # noqa: B008 - a tuple
        *,
        tables: Sequence[RouteTable | LazyTable] = (OWN_TABLE,),
        config: "Config | None" = None,
    ) -> None:
        self.store, self.guard, self.config, self.cache = store, guard, config, ReplyCache()
        self.tokens = TokenCheck(store, guard, rate)
        is_team = store.database.is_shared
        self.readers = RequestThreads(READERS_OF_A_TEAM if is_team else READERS)
        self.writers = RequestThreads(WRITERS_OF_A_TEAM if is_team else WRITERS)
        described = partial(_openapi_routes, tables)
        self.tables = (LazyTable(OPENAPI, described, others=(OPENAPI,)), *tables)
        self.last = tables[-1]
        others = [routing.Route(path, _OtherEndpoint(self, other)) for path, other in beside.items()]
        self.router = self.make_router(
            [*others, *(route for table in self.tables for route in self._routes(table))]
        )

    def _routes(self, table: RouteTable | LazyTable) -> list[routing.BaseRoute]:
        """The routes of a table; those below its prefix are one, so that paths of other tables are matched only once."""
        if isinstance(table, RouteTable) and not table.prefix:
            return endpoints(self, table)
        router = _TableRouter(self, table)
        others = [routing.Route(path, router) for path in paths_beside_prefix(table)]
        return [routing.Mount(table.prefix, app=router), *others]

    def make_router(self, routes: Sequence[routing.BaseRoute]) -> routing.Router:
        """Returns a router of the HTTP server, which refuses unknown paths in the words of their table."""
        return routing.Router(routes, redirect_slashes=False, default=self._refuse_path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        path = _path_to_match(scope["raw_path"])
        problem = self.guard.refusal(scope["method"], Request(scope).headers, path)
        if problem:
            await _send(self.table_of(path).refuse(problem), scope, receive, send)
        else:
            await self.router({**scope, "path": path, "root_path": ""}, receive, send)

    def table_of(self, path: str) -> RouteTable:
        """Returns the table of routes to which the HTTP server hands a path."""
        claims = (
            table for table in self.tables if table.prefix and f"{path}/".startswith(f"{table.prefix}/")
        )
        return loaded(next(claims, self.last))

    async def _refuse_path(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _send(self.table_of(scope["path"]).refuse(NO_ROUTE), scope, receive, send)

    # The rest runs in threads.

    def admit(self, request: Request, table: RouteTable, *, is_open: bool = False) -> RequestCaller | Problem:
        """Returns the caller of a request to the HTTP server, or the problem that refuses the request."""
        try:
            address = request.client.host if request.client else ""
            return self.tokens.admit(request.headers, address, is_open=is_open, person_of=table.person_of)
        except Unusable as error:
            # The routes have words of their own for a database that cannot be used.
            return RequestCaller(broken_store(self.store, error))

    def stamp(self, version: int | None) -> Stamp | None:
        """Returns the state of the store to which the HTTP server ties its cached replies; None if it cannot be read."""
        try:
            day = int(self.store.clock()) // DAY_SECONDS
            return (self.store.version() if version is None else version), day
        except ModicumError:
            return None


def endpoints(app: HttpApp, table: RouteTable) -> list[routing.BaseRoute]:
    """Returns what answers each path of a table of routes in the HTTP server."""
    return [
        routing.Route(path, _PathEndpoint(app, table, methods)) for path, methods in by_path(table).items()
    ]


class _TableRouter:
    """Hands requests to the routes of one table, which is loaded at the first of them."""

    def __init__(self, app: HttpApp, table: RouteTable | LazyTable) -> None:
        self.app, self.table = app, table
        self.router: routing.Router | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.router is None:
            self.router = self.app.make_router(endpoints(self.app, loaded(self.table)))
        await self.router({**scope, "root_path": ""}, receive, send)


class _PathEndpoint:
    """Answers the routes of one path."""

    def __init__(self, app: HttpApp, table: RouteTable, routes: Mapping[str, Route]) -> None:
        self.app, self.table, self.routes = app, table, routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _answered(self._reply, self.table.refuse, scope, receive, send)

    async def _reply(self, request: Request) -> Reply:
        method = request.method
        route = self.routes.get("GET" if method == "HEAD" else method)
        if route is None:
            return self.table.refuse(_wrong_method(self.routes))
        if not route.writes:
            return await self.app.readers.run(self._read, request, route)
        return await self._written(request, route)

    async def _written(self, request: Request, route: Route) -> Reply:
        """Reads the body and writes. Who is refused does not get to send a large body."""
        caller = None
        if not _has_small_body(request):
            caller = await self.app.writers.run(self._let_in, request, route)
        if isinstance(caller, Reply):
            return caller
        body = await _body(request, route.largest_body)
        if isinstance(body, Problem):
            too_large = body.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE and route.too_large
            return too_large or self.table.refuse(body)
        return await self.app.writers.run(self._write, request, route, body, caller)

    def _let_in(self, request: Request, route: Route) -> RequestCaller | Reply:
        if route.is_public:
            return RequestCaller(self.app.store)
        caller = self.app.admit(request, self.table, is_open=route.is_open)
        if isinstance(caller, Problem):
            return self.table.refuse(caller)
        return caller if caller.showed_token else (route.without_tokens or caller)

    def _write(self, request: Request, route: Route, body: bytes, caller: RequestCaller | None) -> Reply:
        known = caller or self._let_in(request, route)
        if isinstance(known, Reply):
            return known
        by_hook = route.is_of_hooks and request.headers.get("user-agent", "").partition("/")[0] == HOOK_AGENT
        store = over_http(known.store, by_hook=by_hook)
        return self.table.answer(route, self._request(request, known)._replace(store=store, body=body))

    def _read(self, request: Request, route: Route) -> Reply:
        caller = self._let_in(request, route)
        if isinstance(caller, Reply):
            return caller
        api_request = self._request(request, caller)
        stamp = self.app.stamp(caller.version) if route.cached else None
        reply = (
            self.table.answer(route, api_request)
            if stamp is None
            else self._cached(route, api_request, stamp)
        )
        if reply.handed and self.app.config:
            to = caller.store.who.name if caller.store.who.token else _program(request)
            handed = reply.handed._replace(to=to, what=route.path)
            log_handed(str(self.app.config.data), handed)
        return reply

    def _cached(self, route: Route, request: ApiRequest, stamp: Stamp) -> Reply:
        pairs = (part for pair in request.query.items() for part in pair)
        key: Key = (str(request.store.who.token), route.path, *request.path.values(), *pairs)
        reply = self.app.cache.get(key, stamp)
        if reply is None:
            reply = self.table.answer(route, request)
            if reply.status == HTTPStatus.OK:
                self.app.cache.put(key, stamp, reply)
        return reply

    def _request(self, request: Request, caller: RequestCaller) -> ApiRequest:
        names = {name: unquote(value) for name, value in request.path_params.items()}
        query = _first_values(request.scope["query_string"])
        return ApiRequest(
            caller.store,
            self.app.config,
            names,
            query,
            showed_token=caller.showed_token,
            headers=request.headers,
            is_person=caller.is_person,
        )


class _OtherEndpoint:
    """Lets another application reply to a caller whom we have let in. It finds the caller's store in the scope."""

    def __init__(self, app: HttpApp, other: ASGIApp) -> None:
        self.app, self.other = app, other

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def reply(request: Request) -> Reply | None:
            return await self._reply(request, send)

        await _answered(reply, problem_reply, scope, receive, send)

    async def _reply(self, request: Request, send: Send) -> Reply | None:
        table = self.app.table_of(request.scope["path"])
        caller = await self.app.readers.run(self.app.admit, request, table)
        if isinstance(caller, Problem):
            return problem_reply(caller)
        body = await _body(request, LARGEST_BODY)
        if isinstance(body, Problem):
            return problem_reply(body)
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            return messages.pop() if messages else await request.receive()

        store = over_http(caller.store)
        await self.other({**request.scope, STORE: store}, receive, _with_our_headers(send))
        return None


async def _answered(
    reply_to: Callable[[Request], object], refuse: Refuse, scope: Scope, receive: Receive, send: Send
) -> None:
    """Sends the reply to a request. Whatever goes wrong becomes a reply here. No reply: another application has sent it."""
    request = Request(scope, receive)
    try:
        reply = await reply_to(request)  # type: ignore[misc]  # `object` stands for any awaitable
    except ClientDisconnect:
        return
    except Exception:
        _log.exception("%s %s", scope["method"], scope["path"])
        reply = refuse(BUG)
    if reply is not None:
        await _send(reply, scope, receive, send)


async def _send(reply: Reply, scope: Scope, receive: Receive, send: Send) -> None:
    response = Response(reply.body, reply.status, {**HEADERS, **dict(reply.headers)}, media_type=None)
    response.headers["Content-Type"] = reply.content_type
    await response(scope, receive, send)


def _path_to_match(raw_path: bytes) -> str:
    """The path as routes are matched with it: decoded part by part, so that a name may contain a slash, as %2F."""
    if b"%" not in raw_path:
        return raw_path.decode("utf-8", "replace")
    parts = (unquote_to_bytes(part).decode("utf-8", "replace") for part in raw_path.split(b"/"))
    return "/".join(
        quote(part, safe="!$&'()*+,;=:@ ") if "%" in part or "/" in part else part for part in parts
    )


def _has_small_body(request: Request) -> bool:
    """Says whether the body is announced as so short that it may as well be read at once."""
    length = request.headers.get("content-length", "")
    return length.isascii() and length.isdigit() and int(length[:20]) <= SMALL_BODY


def _first_values(query: bytes) -> dict[str, str]:
    pairs = parse_qsl(query.decode("utf-8", "replace"), keep_blank_values=True, errors="replace")
    return dict(reversed(pairs))


def _program(request: Request) -> str:
    """The name by which a program introduces itself, without its version."""
    return request.headers.get("user-agent", "").partition("/")[0].partition(" ")[0] or "a program"


def _wrong_method(routes: Mapping[str, Route]) -> Problem:
    methods = ", ".join(sorted({*routes, *(("HEAD",) if "GET" in routes else ())}))
    allow = (("Allow", methods),)
    return Problem(HTTPStatus.METHOD_NOT_ALLOWED, "this path has no such method", f"use {methods}", allow)


def _with_our_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *ours]}
        await send(message)

    return send_with_headers


async def _body(request: Request, largest: int) -> bytes | Problem:
    """Returns the whole body, or what is wrong with it. A body that is too large is read to its end all the same:
    a client that is still sending does not listen to the reply.
    """
    chunks, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS) as limit:
            async for chunk in request.stream():
                limit.reschedule(asyncio.get_running_loop().time() + BODY_SECONDS)  # for each part of it
                size += len(chunk)
                if size <= largest:
                    chunks.append(chunk)
                else:
                    chunks.clear()
                if size > MOST_DRAINED:
                    break
    except TimeoutError:
        return LATE_BODY
    return b"".join(chunks) if size <= largest else _too_large(largest)


def _too_large(largest: int) -> Problem:
    remedy = (
        f"send at most {largest // 1024 // 1024} MiB"
        if largest >= 1024 * 1024
        else f"send at most {largest} bytes"
    )
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the body is too large", remedy)
