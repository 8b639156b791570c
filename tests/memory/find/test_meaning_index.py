"""A server makes vectors in the background, from when it has loaded the model until it stops."""

import logging
import sys
import time

import pytest

from modicum.memory.find.meaning_index import VectorKeeper
from modicum.memory.find.meaning_model import NoModel
from modicum.memory.model import NoteDraft, Unusable
from modicum.memory.tables import vectors

FakeModel = sys.modules["fake_model"].FakeModel


def eventually(true, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def held(store) -> int:
    with store.database.reading() as tx:
        return vectors.count(tx, FakeModel.name)


@pytest.fixture
def keep(store):
    """Starts a keeper for the store; stops it in the end."""
    made = []

    def start(load=FakeModel) -> VectorKeeper:
        keeper = VectorKeeper(
            store.database, load, lambda found: setattr(store, "meaning", found), first=0, pause=0.01
        )
        made.append(keeper)
        keeper.start()
        return keeper

    yield start
    for keeper in made:
        keeper.stop()


def test_what_is_there_and_what_comes_gets_a_vector(store, keep):
    store.save(NoteDraft("Old", "a refund"))
    keep()
    eventually(lambda: held(store) == 1)
    store.save(NoteDraft("New", "a payment"))
    eventually(lambda: held(store) == 2)
    assert {hit.note.title for hit in store.search("shopper").items} == {"New", "Old"}


def test_the_model_counts_as_a_change(store, keep):
    before = store.version()
    keep()
    eventually(lambda: store.meaning is not None and store.version() > before)


def test_without_a_model_words_alone_decide_and_the_log_says_so(store, keep, caplog):
    def load():
        raise NoModel("there is none", remedy="get one")

    with caplog.at_level(logging.WARNING):
        keep(load)
        eventually(lambda: "by their words alone" in caplog.text)
    assert store.meaning is None


def test_a_database_that_fails_is_asked_again(store, keep, monkeypatch):
    store.save(NoteDraft("Old", "a refund"))
    real, failed = vectors.missing, []

    def missing(*given):
        if not failed:
            failed.append(True)
            raise Unusable("it is locked", remedy="wait")
        return real(*given)

    monkeypatch.setattr(vectors, "missing", missing)
    keep()
    eventually(lambda: held(store) == 1)


def test_it_stops_at_once_and_may_be_stopped_twice(store, keep):
    for number in range(50):
        store.save(NoteDraft(f"{number}", f"refund {number}"))

    class Slow(FakeModel):
        def embed(self, text: str) -> bytes:
            time.sleep(0.05)
            return super().embed(text)

    keeper = keep(Slow)
    eventually(lambda: held(store) > 0)
    keeper.stop()
    keeper.stop()
    assert held(store) < 50
    unstarted = VectorKeeper(store.database, FakeModel, lambda _: None)
    unstarted.stop()
