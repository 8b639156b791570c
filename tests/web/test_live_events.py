"""The events of the Live screen: one look for all listeners, bounded, only for the owner, and over when the server stops."""

import asyncio
import http.client
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

import pytest

from modicum.app.memory.notes import open_store
from modicum.app.session.handed_log import Handed, log_handed
from modicum.base.config import load_config
from modicum.http.guard import Guard
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.web import live_events
from modicum.web.cookies import OWNER, OWNER_SECRET, new_cookie
from modicum.web.live_events import PATH, LiveEvents
from modicum.web.routes import WEB

shared = sys.modules["serving"]


def cookie_at(port: int) -> str:
    """The cookie of a page of a server at a port, as the browser of its owner sends it."""
    return f"modicum_page_{port}={new_cookie(OWNER, OWNER_SECRET).value}"


@contextmanager
def served(guard: Guard | None = None) -> Iterator[tuple[int, LiveEvents]]:
    config = load_config()
    store, live = open_store(config), LiveEvents(config.data)
    app = HttpApp(store, guard or Guard(), {PATH: live}, tables=(V1, WEB), config=config)
    with shared.serving(app, closing=live.close) as port:
        yield port, live
    store.close()


cookie_of = cache(cookie_at)  # a program has one, however many connections it makes


class Listener:
    """A connection that has asked for the events."""

    def __init__(self, port: int, method: str = "GET", **headers: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        body = None if method == "GET" else "{}"
        self.connection.request(
            method, PATH, body, {"Content-Type": "application/json", "Cookie": cookie_of(port), **headers}
        )
        self.reply = self.connection.getresponse()
        self.status = self.reply.status

    def next_place(self) -> str:
        while True:
            line = self.reply.readline()
            if line.startswith(b"data: "):
                return line[6:].decode().strip()
            assert line, "the events are over"

    def close(self) -> None:
        self.reply.close()
        self.connection.close()


@pytest.fixture
def listen() -> Iterator[Callable[..., Listener]]:
    with ExitStack() as stack:

        def start(port: int, *given: str, **headers: str) -> Listener:
            made = Listener(port, *given, **headers)
            stack.callback(made.close)
            return made

        yield start


def until(condition) -> None:
    ends = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_a_listener_is_told_the_place_and_when_the_log_grows(world, listen) -> None:
    with served() as (port, _):
        reply = listen(port)
        before = reply.next_place()
        log_handed(str(load_config().data), Handed("hook", "codex", "session-start"))

        after = reply.next_place()
        assert reply.reply.headers["content-type"].startswith("text/event-stream")
        assert (before.partition(":")[2], before.partition(":")[0]) == ("0", after.partition(":")[0])
        assert int(after.partition(":")[2]) > 50


def test_there_are_only_so_many_listeners_and_those_that_leave_make_room(world, listen, monkeypatch) -> None:
    monkeypatch.setattr(live_events, "MOST_LISTENERS", 2)
    with served() as (port, live):
        replies = [listen(port) for _ in range(3)]

        assert [reply.status for reply in replies] == [200, 200, 503]
        for reply in replies:
            reply.close()
        until(lambda: not live.listeners)
        until(lambda: live.looking is None)
        assert listen(port).status == 200


def test_listeners_that_come_at_one_moment_are_no_more_either(world, monkeypatch) -> None:
    monkeypatch.setattr(live_events, "MOST_LISTENERS", 2)
    cookie = f"modicum_page={new_cookie(OWNER, OWNER_SECRET).value}"
    asked = f"GET {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode()
    with served() as (port, _), ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_connection(("127.0.0.1", port), 10)) for _ in range(12)]
        for each in sockets:
            each.sendall(asked)
        replies = [each.recv(12) for each in sockets]

    assert replies.count(b"HTTP/1.1 200") == 2


def test_one_program_has_only_some_of_the_places(world, listen) -> None:
    with served() as (port, live):
        replies = [listen(port, **{"User-Agent": "greedy"}) for _ in range(live_events.MOST_OF_ONE + 2)]
        others = [listen(port, **{"User-Agent": f"page {n}"}) for n in range(4)]

        assert [reply.status for reply in replies] == [200] * 8 + [503] * 2
        assert [reply.status for reply in others] == [200] * 4
        assert len(live.listeners) == 12


def test_a_program_with_many_names_keeps_nobody_out(world, listen) -> None:
    with served() as (port, live):
        greedy = [listen(port, **{"User-Agent": f"name {n // 8}"}) for n in range(live_events.MOST_LISTENERS)]
        page = listen(port, **{"User-Agent": "a browser"})

        assert [reply.status for reply in (*greedy, page)] == [200] * 33
        assert page.next_place()
        assert b"data" in greedy[0].reply.read()  # it was ended, and the others were not
        assert len(live.listeners) == live_events.MOST_LISTENERS


def test_the_events_have_a_policy(world, listen) -> None:
    with served() as (port, _):
        assert "default-src 'none'" in listen(port).reply.headers["content-security-policy"]


def test_a_server_that_stops_does_not_wait_for_its_listeners(world, listen) -> None:
    with served() as (port, _):
        reply = listen(port)
        reply.next_place()
        began = time.monotonic()

    assert time.monotonic() - began < 3
    assert b"data" not in reply.reply.read()  # it was ended, not torn off


def test_only_the_owner_listens(world, listen) -> None:
    secret = world.modicum("team", "token", "new", "anna", "--for", "person", "--json", "--yes").json["token"]
    with served() as (port, _):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        bearer = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        connection.request("POST", "/web/login", "{}", bearer)
        cookie = connection.getresponse().headers["Set-Cookie"].partition(";")[0]
        connection.close()
        assert listen(port, Cookie=cookie).status == 403
        assert listen(port, Cookie="").status == 401
        assert listen(port, Host="evil.example").status == 403


def test_a_token_of_the_server_opens_no_events(world, listen) -> None:
    with served(Guard(token="secret")) as (port, _):
        assert listen(port).status == 200
        assert listen(port, Cookie="").status == 401
        assert listen(port, Cookie=f"modicum_token_{port}=secret").status == 401


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_nothing_can_be_sent_there(world, listen, method) -> None:
    with served() as (port, _):
        assert listen(port, method).status == 405


def test_what_is_logged_right_after_the_first_place_is_told_too(world) -> None:
    config = load_config()

    async def told() -> list[str]:
        live = LiveEvents(config.data)
        listener = live_events.Listener("page")
        live.listeners[listener] = None
        events = live._events(listener)
        first = await anext(events)
        log_handed(
            str(config.data), Handed("hook", "codex", "session-start")
        )  # before the task has looked once
        second = await asyncio.wait_for(anext(events), 5)
        await events.aclose()
        return [first, second]

    first, second = asyncio.run(told())
    assert ":0\n" in first
    assert second.startswith("data: ")
    assert ":0\n" not in second
