"""Requests and tool calls of odd shape: no internal error, the server lives, and its memory stays bounded."""

import http.client
import json
import logging
import socket
import string
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from chaos_cases.runs import Outcome, Pace, Serving, made_project
from modicum.base.config import load_config
from modicum.mcp.server import call
from modicum.mcp.sets import choose_tools
from modicum.mcp.surrogates import repaired
from modicum.mcp.tool import ToolContext
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store

MOST_MEGABYTES = 300
LONG, DEEP = "x" * 70_000, "[" * 3_000
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**70, -(2**63), 1.5, 1e308, float("nan"), float("inf")),
    *("", " ", "1", "-1", "#1", "note:1", "a", "中文", "👍🏽", "\0", "\ud800", "\udfff", "\n\n", "\x1b[31m", "../../etc/passwd", "/dev/zero"),
    *("%00", "' OR 1=1 --", '"', "*", "a*", "AND OR NOT", "NEAR(", "col:x", "<private>", "</system-reminder>", "9999-12-31", "2026-13-45T99"),
    *([], {}, [None], [[]], ["a", 1, None], {"a": {"b": []}}, [1] * 2_000, {"": ""}, "x" * 3_000, "é" * 5_000),
)  # fmt: skip


def odd(chance: Random, depth: int = 0) -> object:
    roll = chance.random()
    if depth < 3 and roll < 0.1:
        return [odd(chance, depth + 1) for _ in range(chance.randint(0, 4))]
    if depth < 3 and roll < 0.2:
        return {str(odd(chance, 3))[:50]: odd(chance, depth + 1) for _ in range(chance.randint(0, 4))}
    if roll < 0.3:
        return "".join(chance.choices(string.printable + "é中\u202e\ud83d", k=chance.randint(0, 60)))
    return chance.choice(VALUES)


# HTTP


def requests(pace: Pace) -> Outcome:
    """Requests over raw sockets and with odd paths, queries, headers and bodies."""
    outcome = Outcome("HTTP requests of odd shape")
    with TemporaryDirectory() as folder:
        home = Path(folder)
        with Serving(home, made_project(home)) as serving:
            asker = Asker(serving.address, pace.chance)
            for _ in pace.rounds(1_000):
                for _ in range(50):
                    outcome.cases += 1
                    outcome.wrong += asker.trouble()
                outcome.wrong += [] if asker.lives() else ["the server no longer answers"]
            if (most := serving.resident()) > MOST_MEGABYTES:
                outcome.wrong.append(f"the server takes {most} MB")
    return outcome


class Asker:
    """Asks one server anything."""

    def __init__(self, address: str, chance: Random) -> None:
        self.address, self.chance = address, chance
        status, text = self._plain("GET", "/openapi.json")
        assert status == 200, text
        self.routes = self._routes(json.loads(text))

    def _routes(self, document: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
        """Each route with the names of its parameters and of what its body has."""
        schemas = document.get("components", {}).get("schemas", {})
        found = []
        for path, methods in document["paths"].items():
            for method, about in methods.items():
                body = (
                    about.get("requestBody", {})
                    .get("content", {})
                    .get("application/json", {})
                    .get("schema", {})
                )
                named = schemas.get(body.get("$ref", "").rpartition("/")[2], body).get("properties", {})
                names = [each["name"] for each in about.get("parameters", ()) if each.get("in") == "query"]
                found.append((method.upper(), path, [*names, *named]))
        return found

    def _plain(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self.address, timeout=60)
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            return reply.status, reply.read().decode(errors="replace")
        finally:
            connection.close()

    def lives(self) -> bool:
        return self._plain("GET", "/health")[0] == 200

    def trouble(self) -> list[str]:
        """What is wrong with the reply to an odd request."""
        asked = self.chance.choice((self._odd_route, self._odd_route, self._odd_route, self._raw))
        request, status, text = asked()
        # engram answers so where there is no such session.
        known = "there is no session" in text
        return [f"500 for {request[:300]!r}: {text[:200]}"] if status == 500 and not known else []

    def _odd_route(self) -> tuple[str, int, str]:
        chance = self.chance
        method, path, names = chance.choice(self.routes)
        while "{" in path:
            before, _, rest = path.partition("{")
            value = str(odd(chance, 3))[:2_000]
            path = (
                before
                + quote(value, safe=chance.choice(("", "/")), errors="replace")
                + rest.partition("}")[2]
            )
        given = {name: odd(chance) for name in names if chance.random() < 0.7}
        query = "&".join(
            f"{name}={quote(str(value)[:2_000], errors='replace')}" for name, value in given.items()
        )
        body = json.dumps(chance.choice((given, given, given, odd(chance), [given])))
        if chance.random() < 0.1:
            body = chance.choice((DEEP, body[: len(body) // 2], "", "\ufeff" + body, "nul", LONG))
        headers = {"Content-Type": chance.choice(("application/json", "text/plain", "x/y; charset=utf-16"))}
        if chance.random() < 0.2:
            header = chance.choice(
                ("Authorization", "Accept", "Last-Event-ID", "Mcp-Session-Id", "Origin", "Cookie")
            )
            headers[header] = chance.choice(
                ("", "Bearer ", "Bearer \xff", "*/*;q=x", "1", "null", "a" * 3_000)
            )
        sent = None if method == "GET" else body.encode(errors="surrogatepass")
        status, text = self._plain(
            method, f"{path}?{query}" if chance.random() < 0.8 else path, sent, **headers
        )
        return f"{method} {path}?{query} {body}", status, text

    def _raw(self) -> tuple[str, int, str]:
        """Bytes that are hardly HTTP. A connection that is just closed is an answer, too."""
        chance = self.chance
        line = chance.choice((b"GET", b"POST", b"get", b"\xff", b"PRI", b"")) + b" " + chance.choice(
            (b"/health", b"/search?q=caf\xc3\xa9", b"//", b"*", b"http://h/health", b"/v1/notes", b"/\x00", b"/" + b"a" * 9_000)
        ) + b" " + chance.choice((b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9", b"", b"X"))  # fmt: skip
        heads = [b"Host: x", b"Content-Length: -1", b"Content-Length: 5", b"Content-Length: 99999999999", b"Transfer-Encoding: chunked", b"Transfer-Encoding: x", b"Connection: upgrade\r\nUpgrade: websocket", b"X: " + b"y" * 20_000, b": x", b"a", b"Expect: 100-continue", b"Host: 127.0.0.1/health?"]  # fmt: skip
        sent = b"\r\n".join((line, *chance.sample(heads, k=chance.randint(0, 4)), b"", chance.choice((b"", b"hello", b"zz\r\n", b"5\r\nhello\r\n0\r\n\r\n", b"\x00" * 50))))  # fmt: skip
        host, _, port = self.address.partition(":")
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            try:
                reply = connection.recv(100)
            except OSError:
                return "", 0, ""
        words = reply.split(b" ", 2)
        status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
        return sent.decode(errors="replace"), status, reply.decode(errors="replace")


# Tools

SETS = (("all",), ("engram",), ("hoofy",))


def tool_calls(pace: Pace) -> Outcome:
    """Every tool of every set with odd arguments: a result or a sentence, never a bug."""
    outcome, chance = Outcome("tool calls of odd shape"), pace.chance
    logging.disable(logging.CRITICAL)
    with TemporaryDirectory() as folder:
        home = Path(folder)
        config = load_config({"MODICUM_HOME": str(home / "m"), "HOME": folder}, made_project(home))
        store = Store(SqliteDatabase(home / "m" / "memory.db"))
        context = ToolContext(config, store, "shop")
        offered = [choose_tools(words) for words in SETS]
        for _ in pace.rounds(1_000):
            for _ in range(40):
                some = chance.choice(offered)
                name = chance.choice([*some.tools])
                known = [each.rstrip("*") for each in some.tools[name].takes]
                arguments = {each: odd(chance) for each in known if chance.random() < 0.8}
                arguments |= {"unknown": odd(chance)} if chance.random() < 0.05 else {}
                outcome.cases += 1
                # Each door repairs halves of surrogate pairs before it calls.
                arguments = json.loads(repaired(json.dumps(arguments).encode()))
                said = json.dumps(call(context, some, name, arguments))
                if "this is a bug in modicum" in said:
                    outcome.wrong.append(f"{name} {json.dumps(arguments)[:300]}: {said[-200:]}")
        outcome.wrong += map(str, store.problems())
        store.close()
    logging.disable(logging.NOTSET)
    return outcome
