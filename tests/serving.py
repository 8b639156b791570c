"""For tests of the HTTP door and of what is registered with it: a store on each engine with a clock that can be set, a
client that calls the application without a network, a real server, and the check of an OpenAPI document.
"""

import json as jsons
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store

if TYPE_CHECKING:  # every test loads this module, and these take long
    import schemathesis

    from modicum.http.limits.connections import ConnectionLimits
    from modicum.http.server import HttpApp


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = datetime(2026, 4, 7, 10, tzinfo=UTC).timestamp()

    def __call__(self) -> float:
        return self.seconds


@dataclass(frozen=True)
class Heard:
    """A response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return jsons.loads(self.body)


class Client:
    """Calls an ASGI application as a server does."""

    def __init__(self, app: "HttpApp", always: Mapping[str, str] | None = None) -> None:
        self.app, self.always = app, dict(always or {})

    def request(self, method: str, url: str, body: str | bytes = b"", **headers: str) -> Heard:
        data = body.encode() if isinstance(body, str) else body
        return anyio.run(
            self._request, method, url, data, {"host": "127.0.0.1:7437", **self.always, **headers}
        )

    def get(self, url: str, **headers: str) -> Heard:
        return self.request("GET", url, **headers)

    def post(self, url: str, value: object, **headers: str) -> Heard:
        return self.request("POST", url, jsons.dumps(value), **headers)

    async def _request(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Heard:
        path, _, query = url.partition("?")
        pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "headers": pairs}
        scope |= {
            "query_string": query.encode(),
            "server": ("127.0.0.1", 7437),
            "scheme": "http",
            "root_path": "",
        }
        sent: list[Any] = []

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        start, *chunks = sent
        named = {name.decode(): value.decode() for name, value in start["headers"]}
        return Heard(start["status"], named, b"".join(chunk.get("body", b"") for chunk in chunks))


def opened(app: "HttpApp") -> Client:
    """A browser whose page was opened with a key from the terminal."""
    from modicum.web.keys import KEYS, new_key

    return _with_cookie(app, Client(app).get(f"/web/open?key={new_key(KEYS.secret, time.time())}"))


def signed_in(app: "HttpApp", secret: str) -> Client:
    """A browser in which a person has signed in with a token."""
    headers = {"authorization": f"Bearer {secret}", "content_type": "application/json"}
    return _with_cookie(app, Client(app).request("POST", "/web/login", "{}", **headers))


def _with_cookie(app: "HttpApp", reply: Heard) -> Client:
    assert reply.status == 200, reply.text
    found = re.search(r'name="modicum-word" content="([0-9a-f]+)"', reply.text)
    word = found[1] if found else reply.json()["word"]
    return Client(app, {"cookie": reply.headers["set-cookie"].split("; ")[0], "x_modicum_page": word})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> str:
    """What keeps the notes. A module, or a test, that has nothing to do with it chooses one."""
    return str(request.param)


@pytest.fixture
def open_store(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path, clock: Clock
) -> Iterator[Callable[[], Store]]:
    """Opens the store of this test, once more each time."""
    opened: list[Store] = []
    url = request.getfixturevalue("empty_schema")("http") if engine == "postgres" else ""

    def open_() -> Store:
        from modicum.memory.engines.postgres import PostgresDatabase

        database = PostgresDatabase(url) if url else SqliteDatabase(tmp_path / "memory.db")
        opened.append(Store(database, clock=clock))
        return opened[-1]

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    return open_store()


@contextmanager
def serving(
    app: "HttpApp",
    limits: "ConnectionLimits | None" = None,
    closing: Callable[[], None] | None = None,
) -> Iterator[int]:
    """The port at which a real server listens."""
    from modicum.http.listen import bind, make_server

    listening = bind("127.0.0.1", 0)
    server = make_server(app, limits, closing)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


EXAMPLES = {"sqlite": 12, "postgres": 3}
LIMITS = settings(
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def check_document(port: int, engine: str, is_expected: Callable[[str, int, str], bool]) -> int:
    """Asks every route of a server what its document allows, and checks the replies. Returns how many routes there were.

    `is_expected` says of a path, a status and a text whether an error of the server is right there.
    """
    import schemathesis
    from schemathesis.specs.openapi import checks

    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")
    # Not whether odd numbers are refused: some systems take them for the default.
    conforms = [
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]

    def check(case: "schemathesis.Case") -> None:
        reply = case.call(timeout=10)
        case.validate_response(reply, checks=conforms)
        expected = is_expected(case.operation.path, reply.status_code, reply.text)
        assert reply.status_code < 500 or expected, reply.text

    operations: Sequence[Any] = [*schema.get_all_operations()]
    for result in operations:
        settings(LIMITS, max_examples=EXAMPLES[engine])(given(result.ok().as_strategy())(check))()
    return len(operations)
