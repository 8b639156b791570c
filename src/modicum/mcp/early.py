"""Early answers: replies to a client's first requests as the SDK words them, without importing the SDK.

Answered are `initialize`, `ping`, `server/discover` and `tools/list`, where they are quite plain; all else is the SDK's.
"""

import json
from typing import Any

from modicum import __version__
from modicum.mcp.family import OfferedTools
from modicum.mcp.reply import Data

# Versions of the protocol that begin with a handshake, the newest last, and those where each request says all by itself.
HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS_VERSIONS = ("2026-07-28",)
KEY = "io.modelcontextprotocol/"

_SERVER = {"name": "modicum", "version": __version__}
_CAPABILITIES = {
    "prompts": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": False},
    "tools": {"listChanged": False},
}


class EarlyAnswers:
    """The early answers to one MCP client: a reply to each of its lines, or None where only the SDK can answer.

    `opening` is the first line, once it was answered. It decides the version, so the SDK must read it, too.
    """

    def __init__(self, offered: OfferedTools) -> None:
        self.offered = offered
        self.opening: str | None = None
        self.has_handshake = True  # else each request says its version by itself
        self.over = False

    def reply(self, line: str) -> str | None:
        """Returns the reply to a line of an MCP client, to the byte as the SDK gives it; None to leave it to the SDK."""
        request = None if self.over else _plain_request(line)
        result = self._result(request) if request else None
        if self.opening is None:
            self.opening, self.over = (None, True) if result is None else (line, False)
        return None if result is None or request is None else _worded(request["id"], result)

    def unwanted(self) -> str:
        """Returns how the SDK's reply to the MCP client's opening line begins; empty if that was not answered early."""
        return "" if self.opening is None else _worded(json.loads(self.opening)["id"], {})[:-4]

    def _result(self, request: Data) -> Data | None:
        method, params = request["method"], request.get("params", {})
        if method == "initialize":
            self.over = self.opening is not None  # a second one may change the version
            return self._welcome(params) if not self.over and _fits(params, GREETING) else None
        if self.opening is None:
            self.has_handshake = False
        return (
            self._after_handshake(method, params) if self.has_handshake else self._by_itself(method, params)
        )

    def _welcome(self, params: Any) -> Data:  # noqa: ANN401 - checked to be a greeting
        wanted = params["protocolVersion"]
        version = wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        return {**self._about(), "protocolVersion": version, "serverInfo": _SERVER}

    def _about(self) -> Data:
        instructions = self.offered.instructions
        return {"capabilities": _CAPABILITIES, **({"instructions": instructions} if instructions else {})}

    def _after_handshake(self, method: object, params: object) -> Data | None:
        if method == "ping" and _fits(params, PLAIN):
            return {}
        if method == "tools/list" and _fits(params, PLAIN_LIST):
            return {"tools": [_sorted(tool.described()) for tool in self.offered.tools.values()]}
        return None

    def _by_itself(self, method: object, params: object) -> Data | None:
        """The result of a request without a handshake, in the SDK's order of fields."""
        about: Data = {"_meta": {f"{KEY}serverInfo": _SERVER}}
        if method == "server/discover" and _fits(params, STATELESS):
            known = {"resultType": "complete", "supportedVersions": [*STATELESS_VERSIONS], "ttlMs": 0}
            return {"cacheScope": "private", **self._about(), **known, **about}
        if method == "tools/list" and _fits(params, STATELESS_LIST):
            tools = [_sorted(tool.described(), but="inputSchema") for tool in self.offered.tools.values()]
            return {"cacheScope": "private", "resultType": "complete", "tools": tools, "ttlMs": 0, **about}
        return None


def _sorted(tool: Data, but: str = "") -> Data:
    """A tool with its fields in the SDK's order, so that a client that caches them sees no difference."""
    return {
        name: dict(sorted(value.items())) if isinstance(value, dict) and name != but else value
        for name, value in sorted(tool.items())
    }


def _worded(number: object, result: Data) -> str:
    reply = {"jsonrpc": "2.0", "id": number, "result": result}
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":")) + "\n"


def _plain_request(line: str) -> Data | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if _fits(found, REQUEST) else None


def _fits(value: object, shape: object) -> bool:
    """Returns True if a value has the shape of a plain request: one of some types or texts, or an object with known fields."""
    if isinstance(shape, tuple):
        return type(value) in shape or (isinstance(value, str) and value in shape)
    if not isinstance(value, dict) or not isinstance(shape, dict):
        return False
    needed = {name[:-1] for name in shape if name.endswith("*")}
    shapes = {name.rstrip("*"): each for name, each in shape.items()}
    others = shapes.get("...")
    return needed <= value.keys() and all(
        _fits(each, shapes.get(name, others)) for name, each in value.items()
    )


# Shapes of what is plain, as `_fits` reads them: a star for fields that must be there, dots for fields of any name.
TEXT, NUMBER_OR_TEXT = (str,), (int, str)
REQUEST = {
    "jsonrpc*": ("2.0",),
    "id*": NUMBER_OR_TEXT,
    "method*": TEXT,
    "params": {"...": (str, int, float, bool, dict, list)},
}
_OPEN = {"...": (dict,)}
ABLE = {
    "roots": {"listChanged": (bool,)},
    "sampling": {"...": {}},
    "elicitation": {"...": {}},
    "experimental": _OPEN,
    "extensions": _OPEN,
}
CLIENT = {"name*": TEXT, "version*": TEXT, "title": TEXT, "description": TEXT, "websiteUrl": TEXT}
GREETING = {"protocolVersion*": TEXT, "capabilities*": ABLE, "clientInfo*": CLIENT}
PLAIN = {"_meta": {"progressToken": NUMBER_OR_TEXT}}
PLAIN_LIST = {**PLAIN, "cursor": TEXT}
_SAID = {f"{KEY}protocolVersion*": STATELESS_VERSIONS, f"{KEY}clientCapabilities*": ABLE}
STATELESS = {"_meta*": {**_SAID, f"{KEY}clientInfo": CLIENT, "progressToken": NUMBER_OR_TEXT}}
STATELESS_LIST = {**STATELESS, "cursor": TEXT}
