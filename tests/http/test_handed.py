"""What a program is handed over HTTP is written into the log of the day; also a reply that was kept."""

import pytest

from modicum.app.session.handed_log_reader import LogPlace, end_of_log, handed_between
from modicum.memory.model import NoteDraft


@pytest.fixture
def engine() -> str:
    return "sqlite"


def test_a_page_is_logged_each_time_and_other_replies_are_not(client, store, config) -> None:
    saved = store.save(NoteDraft("The login fails", "It needs a walrus.", project="shop"))

    for _ in range(2):
        found = client.get("/v1/search?q=login&project=shop", user_agent="curl/8.1 (x)").json()
    client.get("/v1/search?q=login&max_bytes=400")
    client.get("/v1/stats")
    client.get("/v1/search")

    lines = handed_between(config.data, LogPlace(), end_of_log(config.data), 100)
    assert len(lines) == 3
    assert [(line.door, line.to, line.what) for line in lines[1:]] == [("http", "curl", "/v1/search")] * 2
    assert (lines[1].tokens, lines[1].project, lines[1].notes) == (
        found["used"],
        "shop",
        (store.get(saved.id).public_id,),
    )
    assert (lines[0].to, lines[0].tokens) == ("a program", None)  # who asks in bytes gets no tokens counted
