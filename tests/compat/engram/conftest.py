"""The application with engram's routes beside ours."""

import sys
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from modicum.compat.engram.http.routes import ENGRAM
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.memory.people.tokens import new_token
from modicum.memory.store import Store

shared = sys.modules["serving"]
clock, engine, open_store, store = shared.clock, shared.engine, shared.open_store, shared.store


@pytest.fixture
def make_app(store: Store) -> Callable[..., HttpApp]:
    """Makes the application with other options."""
    return partial(HttpApp, store, tables=(V1, ENGRAM))


@pytest.fixture
def client(make_app: Callable[..., HttpApp]):
    return shared.Client(make_app())


@pytest.fixture
def agent(make_app: Callable[..., HttpApp], store: Store):
    """A client with a token that was made for agents."""
    secret, _ = new_token(store.database, "mia", now="2026-04-07T10:00:00Z")
    return shared.Client(make_app(), {"authorization": f"Bearer {secret}"})


@pytest.fixture
def port(make_app: Callable[..., HttpApp]) -> Iterator[int]:
    """Where a real server listens."""
    with shared.serving(make_app()) as port:
        yield port
