"""Memory behind a server of ours."""

import re
import sys
from collections.abc import Iterator

import pytest

from modicum.app.session.hook_log import read_failures
from modicum.hooks.http_client import StatusError
from modicum.http.guard import Guard
from modicum.http.server import HttpApp
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store

list_lines = sys.modules["hook_place"].list_lines


@pytest.fixture
def store(place) -> Iterator[Store]:
    with sys.modules["hook_place"].served_store(place) as found:
        yield found


@pytest.fixture
def ours(store: Store) -> Iterator[str]:
    with sys.modules["serving"].serving(HttpApp(store)) as port:
        yield f"http://127.0.0.1:{port}"


def test_a_server_tells_what_the_store_itself_would(place, store, ours) -> None:
    local = {**place.environment, "MODICUM_HOME": str(place.data)}
    remote = {**place.environment, "MODICUM_SERVER": ours}
    heard = []
    for place.environment in (local, remote):
        heard.append(list_lines(place.hear("session-start")))

    assert heard[0] == heard[1]


def test_prompts_learnings_and_ends_go_to_the_server(place, store, ours) -> None:
    place.environment["MODICUM_SERVER"] = ours
    heard = place.hear("prompt-submit", prompt="what was the note number 3 about? password=hunter2hunter2")
    place.say(
        "subagent-stop", last_assistant_message="## Learnings\n\n- the cart must be locked before paying\n"
    )
    store.end_session("s1", "kept")
    place.say("session-end")

    session = store.session("s1")
    assert session is not None
    assert (session.project, session.summary, session.notes) == ("shop", "kept", 1)
    assert "[REDACTED]" in store.prompts().items[0].content
    assert re.search(r"- n-[0-9a-z]{6} [0-9-]{10} \[decision\] “Note number 3", heard)
    assert not (place.data.parent / "empty" / "memory.db").exists()


def test_the_end_of_a_session_that_the_server_does_not_know_is_no_error(place, ours) -> None:
    place.environment["MODICUM_SERVER"] = ours

    assert place.say("session-end", session_id="nobody") == ""


def test_a_summary_that_was_saved_as_a_note_becomes_that_of_the_session(place, store, ours) -> None:
    place.environment["MODICUM_SERVER"] = ours
    place.say("prompt-submit", prompt="what was the note number 3 about?")
    store.save(NoteDraft("Summary", "The cart is locked.", "session_summary", "shop", "s1"))
    place.say("session-end")

    assert store.session("s1").summary == "The cart is locked."


def test_the_notes_of_a_server_are_not_repeated(place, ours) -> None:
    place.environment["MODICUM_SERVER"] = ours

    first = place.hear("prompt-submit", prompt="what about the note number 3?")
    assert re.search(r"- n-[0-9a-z]{6} [0-9-]{10} \[decision\] “Note number 3", first)
    assert "Note number 3" not in place.hear("prompt-submit", prompt="what about the note number 3, again?")


def test_a_wrong_token_is_an_error_for_the_log(place, store) -> None:
    with sys.modules["serving"].serving(HttpApp(store, Guard(token="secret"))) as port:
        place.environment |= {"MODICUM_SERVER": f"127.0.0.1:{port}", "MODICUM_TOKEN": "wrong"}
        with pytest.raises(StatusError, match="GET /v1/brief: 401"):
            place.say("session-start")
        place.environment["MODICUM_TOKEN"] = "secret"
        assert "Note number 11" in place.hear("session-start")


@pytest.mark.parametrize("address", ["ftp://127.0.0.1", "http://", "http://127.0.0.1:1"])
def test_a_server_that_cannot_be_asked_is_an_error_for_the_log(place, address: str) -> None:
    place.environment["MODICUM_SERVER"] = address

    with pytest.raises((OSError, ValueError)):
        place.say("session-start")
    assert read_failures(str(place.data)) == ()


def test_the_end_of_a_session_that_has_no_name_asks_no_server(place) -> None:
    place.environment["MODICUM_SERVER"] = "http://127.0.0.1:1"  # where nobody answers

    assert place.say("session-end", session_id="") == ""
