"""The application with our own routes."""

import sys
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from modicum.base.config import Config
from modicum.http.server import HttpApp
from modicum.memory.people.tokens import new_token
from modicum.memory.store import Store

shared = sys.modules["serving"]
clock, engine, open_store, store = shared.clock, shared.engine, shared.open_store, shared.store


@pytest.fixture
def config(world, starters: None) -> Config:
    """The configuration of a project in a throw-away home, with the starter packs."""
    from modicum.base.config import load_config

    return load_config()


@pytest.fixture
def make_app(store: Store, config: Config) -> Callable[..., HttpApp]:
    """Makes the application with other options."""
    return partial(HttpApp, store, config=config)


@pytest.fixture
def client(make_app: Callable[..., HttpApp]):
    return shared.Client(make_app())


@pytest.fixture
def agent(make_app: Callable[..., HttpApp], store: Store):
    """A client with a token that was made for agents."""
    return shared.Client(make_app(), {"authorization": f"Bearer {token_for('agent', store)}"})


def token_for(purpose: str, store: Store) -> str:
    return new_token(store.database, "mia", now="2026-04-07T10:00:00Z", purpose=purpose)[0]


@pytest.fixture
def port(make_app: Callable[..., HttpApp]) -> Iterator[int]:
    """Where a real server listens."""
    with shared.serving(make_app()) as port:
        yield port
