"""What a tool hands to an agent is written into the log of the day, without the words."""

import anyio
import mcp_types as types
import pytest
from mcp import Client

from modicum.app.session.handed_log_reader import LogPlace, end_of_log, handed_between
from modicum.engine.tokens import count
from modicum.mcp.server import UNNAMED, make_server
from modicum.mcp.sets import choose_tools
from modicum.memory.model import NoteDraft


@pytest.fixture
def call(desk):
    """Calls tools as a client of a name does, and returns the texts and what was logged, the newest first."""

    def called(client: str, *calls: tuple[str, dict[str, object]]):
        async def run() -> list[str]:
            about = types.Implementation(name=client, version="0")
            async with Client(make_server(desk, choose_tools(["all"])), client_info=about) as session:
                return [(await session.call_tool(name, given)).content[0].text for name, given in calls]

        texts = anyio.run(run)
        data = desk.config.data
        return texts, handed_between(data, LogPlace(), end_of_log(data), 100)

    return called


def test_a_call_is_logged_with_its_client_tokens_and_notes(desk, call) -> None:
    saved = desk.store.save(NoteDraft("The login fails", "It needs a walrus.", project="shop"))

    texts, lines = call("codex", ("mem_search", {"query": "login"}), ("mem_get", {"id": saved.id}))

    read, search = lines
    assert (search.door, search.to, search.what, search.project) == ("mcp", "codex", "mem_search", "shop")
    assert (search.tokens, search.bytes) == (count(texts[0]), len(texts[0].encode()))
    name = desk.store.get(saved.id).public_id
    assert search.notes == (name,)
    assert (read.what, read.tokens, read.notes) == ("mem_get", count(texts[1]), (name,))


def test_what_a_tool_writes_is_a_short_receipt_that_nobody_counts(call) -> None:
    _, lines = call("", ("mem_save", {"title": "Walrus", "content": "tusks"}))

    (line,) = lines
    assert (line.to, line.what, line.tokens) == (UNNAMED, "mem_save", None)
    assert line.bytes > 0


def test_a_failed_call_hands_over_nothing(call) -> None:
    _, lines = call("codex", ("mem_get", {"id": 999_999}))

    assert lines == ()
