"""The tools at /mcp for people with tokens: what is personal to one is in no answer that another one gets."""

import http.client
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from modicum.http.limits.requests import Rate
from modicum.http.listen import bind
from modicum.http.server import HttpApp
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext
from modicum.mcp.web import McpWebApp
from modicum.memory.model import NoteDraft
from modicum.memory.people import tokens
from modicum.memory.people.access import Person

NOW = "2026-11-15T10:00:00.000Z"
SECRET = "walrus"


class Team:
    """A server of several people, and what it answers to one of them."""

    def __init__(self, desk: ToolContext) -> None:
        self.desk, self.tools, self.port = desk, choose_tools(["all"]), 0

    def join(self, name: str, **limits: Any) -> str:
        return tokens.new_token(self.desk.store.database, name, now=NOW, **limits)[0]

    def send(self, token: str, method: str, params: dict[str, Any]) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        connection.request("POST", "/mcp", body, {**headers, "Authorization": f"Bearer {token}"})
        reply = connection.getresponse()
        found = reply.status, reply.read().decode()
        connection.close()
        return found

    def call(self, token: str, tool: str, **arguments: object) -> str:
        status, body = self.send(token, "tools/call", {"name": tool, "arguments": arguments})
        assert status == 200
        return body

    def read(self, token: str, uri: str) -> str:
        return self.send(token, "resources/read", {"uri": uri})[1]


@pytest.fixture(params=["sqlite", "postgres"])
def desk(request: pytest.FixtureRequest, desk: ToolContext) -> Iterator[ToolContext]:
    if request.param == "sqlite":
        yield desk
        return
    from modicum.memory.engines.postgres import PostgresDatabase
    from modicum.memory.store import Store

    store = Store(PostgresDatabase(request.getfixturevalue("empty_schema")("mcp")))
    yield ToolContext(desk.config, store, "shop")
    store.close()


@pytest.fixture
def rate() -> Rate:
    return Rate()


@pytest.fixture
def team(desk: ToolContext, rate: Rate) -> Iterator[Team]:
    found = Team(desk)
    listening = bind("127.0.0.1", 0)
    door = HttpApp(desk.store, beside={"/mcp": McpWebApp(desk, found.tools)}, rate=rate)
    server = uvicorn.Server(uvicorn.Config(door, lifespan="off", log_config=None, access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    found.port = listening.getsockname()[1]
    yield found
    server.should_exit = True
    thread.join()


def fill(team: Team) -> None:
    """Four notes and a prompt of mia's; the first note, its relation and the prompt are hers alone."""
    mia = team.desk.store.seen_by(Person("mia"))
    mia.start_session("s", project="shop")
    for scope, title in (("personal", SECRET), ("project", "gull"), ("project", "seal"), ("global", "tern")):
        mia.save(
            NoteDraft(title, f"The {title} eats fish", "decision", "shop", "s", scope, f"animals/{title}")
        )
    mia.pin(1)
    mia.relate(1, 2, note=f"{SECRET} and gull")
    mia.relate(2, 3)
    mia.add_prompt(f"what does the {SECRET} eat?", session_id="s", project="shop")


# Every argument by which any of the tools could be led to what is not the caller's.
LEADS: dict[str, object] = {
    "id": 1, "observation_id": 1, "from_id": 2, "to_id": 1, "query": f"what does the {SECRET} eat? fish", "project": "*",
    "session_id": "s", "detail_level": "full", "topic_key": f"animals/{SECRET}", "ids": [1], "depth": 3, "scope": "personal",
    "title": "x", "content": "y", "type": "decision", "path": "git", "limit": 50, "older_than_days": 0, "name": "shop",
    "from": "shop", "to": "other", "action": "list",
}  # fmt: skip


def test_no_tool_and_no_resource_tells_what_is_personal_to_somebody_else(team: Team) -> None:
    fill(team)
    mia, ben = team.join("mia"), team.join("ben")
    told = {
        (tool.name, left): team.call(
            ben, tool.name, **{name: LEADS[name] for name in tool.known if name in LEADS and name != left}
        )
        for tool in team.tools.tools.values()
        for left in ("", "content", "id", "project", "session_id")
    }
    public = team.desk.store.names([1])[1]
    for handle in ("1", "#1", "note:1", public, public[:6], f"note:{public}", "prompt:1", "session:s"):
        told["mem_get", handle] = team.call(ben, "mem_get", id=handle)
    for uri in ("modicum://note/1", "modicum://prompt/1", "modicum://note/01"):
        told["resource", uri] = team.read(ben, uri)

    # The words that ben asked with come back to him; nothing that mia wrote does.
    for which, answer in told.items():
        new = answer.replace(f"what does the {SECRET} eat? fish", "").replace(f"animals/{SECRET}", "")
        assert SECRET not in new, which
    assert SECRET in team.call(mia, "mem_get", id=1)
    assert SECRET in team.call(mia, "mem_get", id="prompt:1")
    assert SECRET in team.read(mia, "modicum://note/1")
    assert SECRET in team.call(mia, "mem_context", project="shop")
    assert team.desk.store.get(1) is not None


def test_whoever_has_no_token_or_a_wrong_one_is_not_let_in(team: Team) -> None:
    token = team.join("mia")

    assert [team.send(each, "tools/list", {})[0] for each in (token, "", "wrong", f"{token}x")] == [
        200, 401, 401, 401,
    ]  # fmt: skip
    tokens.revoke(team.desk.store.database, "mia", now=NOW)
    assert team.send(token, "tools/list", {})[0] == 401


def test_whoever_may_only_read_cannot_save(team: Team) -> None:
    fill(team)
    reader, guest = team.join("ci", read_only=True), team.join("ben", projects=["docs"], reads=["shop"])

    for token, words in ((reader, "ci may only read"), (guest, "ben may not write to project")):
        for tool, more in (
            ("mem_save", {"title": "a", "content": "b", "project": "shop"}),
            ("mem_update", {"id": 2, "title": "a"}),
            ("mem_delete", {"id": 2}),
            ("mem_pin", {"id": 2}),
        ):
            answer = json.loads(team.call(token, tool, **more))["result"]
            assert answer["isError"], tool
            assert words in answer["content"][0]["text"]
        assert "gull" in team.call(token, "mem_search", query="gull", project="shop")
    assert team.desk.store.count() == 4


@pytest.mark.parametrize("rate", [Rate(0.01, 3)])
def test_nobody_asks_too_often(team: Team) -> None:
    mia, ben = team.join("mia"), team.join("ben")

    assert [team.send(mia, "tools/list", {})[0] for _ in range(4)] == [200, 200, 200, 429]
    assert team.send(ben, "tools/list", {})[0] == 200
