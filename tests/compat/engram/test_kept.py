"""What is saved through engram's doors is there at once under the id of the reply, whatever it says; a topic is an upsert."""

import json
import sys

import pytest

from modicum.base.value import replace

JUNK = "All 412 tests pass now."
LOG = "2026-11-19 10:00:01 INFO start\n2026-11-19 10:00:02 INFO ready\n2026-11-19 10:00:03 ERROR gone"
FACT = "The queue moved to SQLite because Redis lost jobs on restart."


@pytest.fixture(params=["open", "inbox"])
def door(request, config, make_app, store):
    """The routes under each setting of the gate: engram has no inbox in which anything could wait."""
    found = sys.modules["serving"].Client(make_app(config=replace(config, gate=request.param)))
    found.post("/sessions", {"id": "s", "project": "app"})
    return found


def put(door, title, content, **fields):
    reply = door.post("/observations", {"session_id": "s", "title": title, "content": content, **fields})
    assert (reply.status, reply.json()["status"]) == (201, "saved")
    return reply.json()["id"]


@pytest.mark.parametrize("content", [JUNK, LOG, FACT, "x", "The user wants a dark mode.", "word " * 5_000])
def test_the_id_of_the_reply_is_readable_at_once(door, content) -> None:
    number = put(door, "T", content, project="app")

    found = door.get(f"/observations/{number}")
    assert (found.status, found.json()["content"]) == (200, content.strip())
    assert [each["id"] for each in door.get("/observations/recent?project=app").json()] == [number]


def test_a_topic_is_an_upsert_with_the_same_id_and_a_higher_revision(door) -> None:
    first = put(door, "Auth", FACT, project="app", topic_key="architecture/auth", type="decision")
    again = put(door, "Auth now", JUNK, project="app", topic_key="Architecture/Auth ", type="pattern")

    assert again == first
    found = door.get(f"/observations/{first}").json()
    assert (found["title"], found["content"], found["type"], found["revision_count"]) == (
        "Auth now",
        JUNK,
        "pattern",
        2,
    )


@pytest.mark.parametrize("fields", [{"project": "other"}, {"scope": "personal"}, {"topic_key": "b"}])
def test_the_same_topic_elsewhere_is_another_note(door, fields) -> None:
    first = put(door, "A", FACT, project="app", topic_key="a")

    assert put(door, "A", FACT, **{"project": "app", "topic_key": "a", **fields}) != first


def test_a_repeat_within_the_window_is_counted_under_the_same_id(door, clock) -> None:
    first = put(door, "A", FACT, project="app")
    clock.seconds += 60

    assert put(door, "A", f"  {FACT.upper()} ", project="app") == first
    assert door.get(f"/observations/{first}").json()["duplicate_count"] == 2
    clock.seconds += 20 * 60
    assert put(door, "A", FACT, project="app") != first


def test_facts_in_the_same_words_are_all_kept_and_found(door) -> None:
    texts = [
        f"Backups of {region} are kept for 30 days." for region in ("eu-west-1", "us-east-1", "ap-south-2")
    ]
    numbers = [put(door, f"Backups {at}", text, project="app") for at, text in enumerate(texts)]

    assert len(set(numbers)) == len(numbers)
    for number, region in zip(numbers, ("eu-west-1", "us-east-1", "ap-south-2"), strict=True):
        assert door.get(f"/search?q={region}&project=app").json()[0]["id"] == number


def test_a_changed_and_a_deleted_note_are_what_the_reply_says(door) -> None:
    number = put(door, "A", JUNK, project="app")

    changed = door.request(
        "PATCH", f"/observations/{number}", json.dumps({"title": "B", "topic_key": "k"})
    ).json()
    assert (changed["title"], changed["topic_key"], changed["revision_count"]) == ("B", "k", 2)
    assert put(door, "C", FACT, project="app", topic_key="k") == number
    assert door.request("DELETE", f"/observations/{number}").json()["status"] == "deleted"
    assert door.get(f"/observations/{number}").status == 404
    assert put(door, "C", FACT, project="app", topic_key="k") != number


def test_learnings_are_taken_out_once(door) -> None:
    text = f"## Key Learnings:\n1. {FACT}\n2. Jobs are kept for thirty days in the archive."
    asked = {"session_id": "s", "content": text, "project": "app"}

    assert door.post("/observations/passive", asked).json() == {"extracted": 2, "saved": 2, "duplicates": 0}
    assert door.post("/observations/passive", asked).json() == {"extracted": 2, "saved": 0, "duplicates": 2}
