"""The application with engram's routes beside ours."""

import sys
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from modicum.compat.engram.http.routes import ENGRAM
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
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
def port(make_app: Callable[..., HttpApp]) -> Iterator[int]:
    """Where a real server listens."""
    with shared.serving(make_app()) as port:
        yield port
