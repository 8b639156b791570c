"""Finished replies, kept until something changes."""

from modicum.http.replies import Reply
from modicum.http.reply_cache import ENTRY, LARGEST, ReplyCache
from modicum.memory.model import NoteDraft

REPLY = Reply(200, b"x" * 100)


def test_a_reply_is_kept_for_one_state_of_the_store() -> None:
    cache = ReplyCache()
    cache.put(("a",), (1, 0), REPLY)

    assert cache.get(("a",), (1, 0)) == REPLY
    assert cache.get(("b",), (1, 0)) is None
    assert cache.get(("a",), (2, 0)) is None


def test_a_late_reply_does_not_push_out_newer_ones() -> None:
    cache = ReplyCache()
    cache.put(("new",), (2, 0), REPLY)
    cache.put(("old",), (1, 0), REPLY)

    assert cache.get(("new",), (2, 0)) == REPLY
    assert cache.get(("old",), (2, 0)) is None


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    cache = ReplyCache(room=2 * (101 + ENTRY))
    for key in "ab":
        cache.put((key,), (1, 0), REPLY)
    cache.get(("a",), (1, 0))
    cache.put(("c",), (1, 0), REPLY)

    assert [key for key in "abc" if cache.get((key,), (1, 0))] == ["a", "c"]
    assert cache.used == 2 * (101 + ENTRY)


def test_a_giant_is_not_kept() -> None:
    cache = ReplyCache()
    cache.put(("a",), (1, 0), Reply(200, b"x" * (LARGEST + 1)))

    assert cache.get(("a",), (1, 0)) is None


def test_the_same_reply_twice_counts_once() -> None:
    cache = ReplyCache()
    for _ in range(2):
        cache.put(("a",), (1, 0), REPLY)

    assert cache.used == 101 + ENTRY


def test_a_repeated_question_is_answered_without_asking_again(client, store, monkeypatch) -> None:
    store.save(NoteDraft("a", "b"))
    first = client.get("/v1/recall")
    monkeypatch.setattr(store, "context", None)

    assert client.get("/v1/recall").body == first.body


def test_every_change_is_seen_at_once_also_of_another_process(client, store, open_store) -> None:
    other = open_store()
    for change in (
        lambda: store.save(NoteDraft("one", "first")),
        lambda: other.save(NoteDraft("two", "second")),
        lambda: other.pin(1),
        lambda: other.delete(2),
        lambda: client.request("PATCH", "/v1/notes/1", '{"title":"three"}'),
    ):
        before = client.get("/v1/recall?pinned=3").body
        change()
        assert client.get("/v1/recall?pinned=3").body != before


def test_yesterday_is_another_day_tomorrow(client, store, clock, monkeypatch) -> None:
    store.save(NoteDraft("a", "cache"))
    client.get("/v1/search?q=cache+yesterday")
    asked = []
    search = store.search
    monkeypatch.setattr(store, "search", lambda *args: asked.append(args) or search(*args))
    client.get("/v1/search?q=cache+yesterday")
    assert asked == []
    clock.seconds += 24 * 3600
    client.get("/v1/search?q=cache+yesterday")

    assert len(asked) == 1
