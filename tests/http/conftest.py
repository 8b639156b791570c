"""A store on each engine with a clock that can be set, a client that speaks to the door without a network, and a real server."""

import json as jsons
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
import uvicorn

from modicum.http.server import HttpApp, bind
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store


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

    def __init__(self, door: HttpApp) -> None:
        self.door = door

    def request(self, method: str, url: str, body: str | bytes = b"", **headers: str) -> Heard:
        data = body.encode() if isinstance(body, str) else body
        return anyio.run(self._request, method, url, data, {"host": "127.0.0.1:7437", **headers})

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

        await self.door(scope, receive, send)
        start, *chunks = sent
        named = {name.decode(): value.decode() for name, value in start["headers"]}
        return Heard(start["status"], named, b"".join(chunk.get("body", b"") for chunk in chunks))


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


@pytest.fixture
def client(store: Store) -> Client:
    return Client(HttpApp(store))


@pytest.fixture
def port(store: Store) -> Iterator[int]:
    """Where a real server listens."""
    listening = bind("127.0.0.1", 0)
    config = uvicorn.Config(HttpApp(store), lifespan="off", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()
