"""The server that listens: what it does while nobody asks."""

import time

import pytest

from modicum.engine import tokens
from modicum.http import listen
from modicum.http.server import HttpApp
from modicum.memory.store import Store
from serving import serving


def test_a_server_that_is_idle_unloads_the_tokenizers(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listen, "IDLE_SECONDS", 0)
    tokens._tokens("o200k_base", "an unwieldy sentence")
    deadline = time.monotonic() + 60

    with serving(HttpApp(store)):
        while tokens._load.cache_info().currsize and time.monotonic() < deadline:
            time.sleep(0.1)

    assert not tokens._load.cache_info().currsize
