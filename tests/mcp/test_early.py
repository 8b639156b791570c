"""Early answers are the SDK's own, to the byte: the SDK answers the same lines beside them."""

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Self

import anyio
import anyio.lowlevel
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.server.stdio import stdio_server
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from modicum.mcp.early import HANDSHAKE_VERSIONS, STATELESS_VERSIONS, EarlyAnswers
from modicum.mcp.server import make_server
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext

SETS = ("core", "memory", "packs", "specs", "all", "engram", "engram,agent", "hoofy", "mem_get,pack_read")
KEY = "io.modelcontextprotocol/"
CLIENT = {
    "name": "claude-code",
    "title": "Claude Code",
    "version": "2.1",
    "websiteUrl": "https://example.org",
}
ABLE = {"roots": {"listChanged": True}, "elicitation": {"form": {}, "url": {}}, "sampling": {}}


class Lines:
    """The lines of a client, and what it hears; it leaves when all is answered."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines, self.heard = iter(lines), list[str]()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        for line in self.lines:
            return line
        for _ in range(200):
            await anyio.lowlevel.checkpoint()
        raise StopAsyncIteration

    async def write(self, text: str) -> None:
        self.heard.append(text)

    async def flush(self) -> None:
        pass


def by_the_sdk(words: str, lines: Sequence[str]) -> list[str]:
    client: Any = Lines(lines)
    context: Any = None

    async def run() -> None:
        server = make_server(ToolContext(context, context), choose_tools([words]))
        async with stdio_server(client, client) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)
    # Before 2.3 the SDK also said that the server has no experimental abilities.
    return [text.replace('"experimental":{},', "", 1) for text in client.heard]


def early(words: str, lines: Sequence[str]) -> list[str]:
    answers = EarlyAnswers(choose_tools([words]))
    return [reply for line in lines if (reply := answers.reply(line)) is not None]


def request(number: object, method: str, params: object = None) -> str:
    given = {} if params is None else {"params": params}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, **given})


def greeting(version: str = "2025-06-18", **more: object) -> dict[str, object]:
    return {"protocolVersion": version, "capabilities": ABLE, "clientInfo": CLIENT, **more}


def envelope(**more: object) -> dict[str, object]:
    versions = {f"{KEY}protocolVersion": "2026-07-28", f"{KEY}clientInfo": CLIENT}
    return {"_meta": {**versions, f"{KEY}clientCapabilities": ABLE, **more}}


INITIALIZED = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})


def test_the_versions_are_those_of_the_sdk() -> None:
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert STATELESS_VERSIONS == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize("words", SETS)
@pytest.mark.parametrize("version", [*HANDSHAKE_PROTOCOL_VERSIONS, "1999-01-01", "2026-07-28", ""])
def test_a_client_with_a_handshake_hears_what_the_sdk_says(words: str, version: str) -> None:
    lines = (
        request(0, "initialize", greeting(version)),
        INITIALIZED,
        request("é\n\x7f", "ping"),
        request(2, "tools/list"),
        request(-3, "tools/list", {}),
        request(2**70, "tools/list", {"cursor": "x", "_meta": {"progressToken": "t"}}),
    )
    heard = early(words, lines)

    assert heard == by_the_sdk(words, lines)
    assert len(heard) == 5


@pytest.mark.parametrize("words", SETS)
def test_a_client_without_a_handshake_hears_what_the_sdk_says(words: str) -> None:
    lines = (
        request("probe", "server/discover", envelope()),
        request(1, "tools/list", envelope(progressToken=0)),
        request(2, "tools/list", {**envelope(), "cursor": "x"}),
    )
    heard = early(words, lines)

    assert heard == by_the_sdk(words, lines)
    assert len(heard) == 3


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        request(None, "initialize", greeting()),
        request(1.5, "initialize", greeting()),
        request(True, "initialize", greeting()),
        request(1, "initialize"),
        request(1, "initialize", []),
        request(1, "initialize", greeting(more=1)),
        request(1, "initialize", greeting(clientInfo={"name": "a"})),
        request(1, "initialize", greeting(capabilities={"roots": True})),
        request(1, "initialize", greeting(protocolVersion=1)),
        request(1, "tools/list"),
        request(1, "ping"),
        INITIALIZED,
        request(1, "tools/list", {"_meta": {f"{KEY}protocolVersion": "2026-07-28"}}),
        request(1, "tools/list", envelope(**{f"{KEY}protocolVersion": "2030-01-01"})),
        f"[{request(1, 'initialize', greeting())}]",
    ],
)
def test_a_client_that_begins_in_another_way_is_left_to_the_sdk(line: str) -> None:
    answers = EarlyAnswers(choose_tools([]))

    assert answers.reply(line) is None
    assert answers.reply(request(2, "initialize", greeting())) is None
    assert (answers.opening, answers.over, answers.unwanted()) == (None, True, "")


def test_what_only_the_sdk_can_answer_does_not_keep_the_list_of_tools_waiting() -> None:
    answers = EarlyAnswers(choose_tools([]))
    replies = [
        answers.reply(line) is not None
        for line in (
            request(0, "initialize", greeting()),
            request(1, "prompts/list"),
            "{",
            request(2, "tools/list", {"cursor": 7}),
            request(3, "tools/list", envelope()),
            request(4, "tools/list"),
            request(5, "initialize", greeting("2024-11-05")),
            request(6, "tools/list"),
        )
    ]

    assert replies == [True, False, False, False, False, True, False, False]


def test_the_reply_that_the_sdk_must_not_repeat_is_known_by_its_beginning() -> None:
    for number in (0, "é\n", 2**70):
        for method, params in (("initialize", greeting()), ("server/discover", envelope())):
            answers = EarlyAnswers(choose_tools([]))
            line = request(number, method, params)
            answers.reply(line)

            assert by_the_sdk("core", [line])[0].startswith(answers.unwanted())
            assert answers.unwanted()


LEAVES = st.sampled_from(
    [None, True, False, 0, 7, -1.5, "", "x", "true", {}, {"x": 1}, {"x": {}}, [], ["x"], [{}]]
)
NAMES = st.sampled_from(
    [
        "listChanged",
        "form",
        "url",
        "tools",
        "context",
        "x",
        "tasks",
        "icons",
        "cursor",
        "title",
        "progressToken",
        "_meta",
    ]
)
RICH = {**ABLE, "extensions": {"a/b": {"c": ["d"]}}, "experimental": {"e": {"f": 1}}}


def session(*, shaking: bool) -> list[Any]:
    """What a client says: an opening that says a lot, and two requests."""
    if shaking:
        opening, then = ("initialize", greeting(capabilities=RICH)), {"_meta": {"progressToken": 1}}
    else:
        opening = ("server/discover", envelope(**{f"{KEY}clientCapabilities": RICH}))
        then = envelope(progressToken=1)
    asked = (opening, ("tools/list", {**then, "cursor": "c"}), ("tools/list", then))
    return [json.loads(request(at, method, params)) for at, (method, params) in enumerate(asked)]


def places(value: Any) -> list[dict[str, Any]]:
    """All objects in a message, however deep."""
    if not isinstance(value, dict):
        return []
    return [value, *(inner for each in value.values() for inner in places(each))]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.booleans(), st.integers(0, 2))
def test_whatever_is_answered_early_is_what_the_sdk_would_say(
    data: st.DataObject, shaking: bool, at: int
) -> None:
    messages = session(shaking=shaking)
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.sampled_from(places(messages[at])))
        name = data.draw(st.sampled_from([*place]) | NAMES if place else NAMES)
        place[name] = deepcopy(data.draw(LEAVES))
    lines = [json.dumps(message) for message in messages]
    told = by_the_sdk("packs", lines)

    assert set(early("packs", lines)) <= set(told)


def test_of_a_field_that_is_there_twice_the_last_counts() -> None:
    lines = (
        request(0, "initialize", greeting()).replace('"2025-06-18"', '"x", "protocolVersion": "2024-11-05"'),
        '{"jsonrpc": "2.0", "id": 1, "method": "ping", "id": 2, "method": "tools/list"}',
    )

    assert early("packs", lines) == by_the_sdk("packs", lines)
    assert len(early("packs", lines)) == 2


@pytest.mark.parametrize("shaking", [True, False])
def test_a_client_that_says_a_lot_is_answered_early(shaking: bool) -> None:
    lines = [json.dumps(message) for message in session(shaking=shaking)]

    assert early("packs", lines) == by_the_sdk("packs", lines)
    assert len(early("packs", lines)) == 3
