"""The inbox and origins over /v1."""

import pytest

from modicum.base.value import replace
from modicum.memory.model import NoteDraft

NOTE = {"title": "Queue moved", "content": "Redis needed a host of its own.", "project": "shop"}


def test_what_waits_is_listed_accepted_and_dropped(client, store) -> None:
    for title in ("one", "two"):
        store.save_waiting(NoteDraft(title, f"content of {title}", project="shop"), "why it waits")

    listed = client.get("/v1/inbox?project=shop").json()
    assert [(each["number"], each["why"]) for each in listed["items"]] == [
        (2, "why it waits"),
        (1, "why it waits"),
    ]
    accepted = client.request("POST", "/v1/inbox/1/accept", '{"title": "uno"}', **{"user-agent": "curl/8"})
    assert (accepted.json()["title"], accepted.json()["origin"]) == ("uno", "script")
    assert client.request("DELETE", "/v1/inbox/2").json()["number"] == 2
    assert client.request("DELETE", "/v1/inbox/2").status == 404
    assert client.get("/v1/inbox").json()["total"] == 0
    assert client.get("/v1/notes/1").json()["title"] == "uno"


def test_what_was_proven_is_the_origin_and_no_header_is(client, request) -> None:
    client.post("/v1/notes", NOTE, **{"user-agent": "codex/1.0"})
    client.post("/v1/notes", {**NOTE, "title": "By a hook"}, **{"user-agent": "modicum-hook"})
    agent = request.getfixturevalue("agent")  # from now on everybody needs a token
    agent.post("/v1/notes", {**NOTE, "title": "By an agent"}, **{"user-agent": "curl/8"})

    assert [agent.get(f"/v1/notes/{number}").json()["origin"] for number in (1, 2, 3)] == [
        "script",
        "script",
        "agent",
    ]
    assert [each["number"] for each in agent.get("/v1/notes?origin=script").json()["items"]] == [2, 1]
    assert [each["origin"] for each in agent.get("/v1/search?q=redis&origin=agent").json()["items"]] == [
        "agent"
    ]
    assert agent.get("/v1/notes?origin=agnt").json()["remedy"] == 'did you mean "agent"?'


@pytest.fixture
def gated(store, config, make_app):
    import sys

    return sys.modules["serving"].Client(make_app(config=replace(config, gate="inbox")))


def test_with_an_inbox_what_an_agent_saves_waits(gated) -> None:
    waits = gated.post("/v1/notes", {**NOTE, "content": "All 412 tests pass now."})

    assert (waits.status, waits.json()["outcome"]) == (201, "inbox")
    assert "waits in the inbox" in waits.json()["warnings"][0]


def test_a_note_that_looks_like_junk_is_kept_with_advice(client) -> None:
    kept = client.post("/v1/notes", {**NOTE, "content": "All 412 tests pass now."})

    assert (kept.status, kept.json()["outcome"]) == (201, "created")
    assert kept.json()["warnings"][0].startswith("Kept, but last in search: it names nothing")
