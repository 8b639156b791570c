"""Repairs halves of surrogate pairs in the messages of MCP clients.

JavaScript writes them when it cuts a text inside a character, and the SDK's parser would drop the whole
message.
"""

import re
from types import TracebackType
from typing import Any, Self

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

Item = SessionMessage | Exception

# An escaped backslash and a whole pair are passed over, so that what is left is half of one.
_ESCAPES = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def repaired(body: bytes) -> bytes:
    """Repairs JSON: returns the bytes with U+FFFD in place of each half of a surrogate pair."""
    return _ESCAPES.sub(lambda found: rb"\ufffd" if found[1] else found[0], body)


def repaired_message(item: Item) -> Item:
    """Repairs an MCP message that could not be parsed because of half a surrogate pair; else as it is."""
    if not isinstance(item, ValidationError):
        return item
    line = item.errors(include_url=False, include_context=False)[0]["input"]
    body = line.encode("utf-8", "replace") if isinstance(line, str) else b""
    if (better := repaired(body)) == body:
        return item
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(better, by_name=False))
    except ValidationError:
        return item


class RepairingStream:
    """A stream of MCP messages that repairs halves of surrogate pairs in each message."""

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 (the type is private to the SDK) - the SDK's own class is private
        self.stream = stream

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        return repaired_message(await self.stream.__anext__())

    async def receive(self) -> Item:
        return repaired_message(await self.stream.receive())

    async def aclose(self) -> None:
        await self.stream.aclose()

    @property
    def last_context(self) -> Any:  # noqa: ANN401 (the type is private to the SDK)
        return self.stream.last_context

    async def __aenter__(self) -> Self:
        await self.stream.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stream.__aexit__(kind, error, trace)
