"""The tools at /mcp of `modicum serve`."""

import http.client
import json
import threading
from collections.abc import Iterator

import anyio
import mcp_types as types
import pytest
import uvicorn
from mcp import Client

from modicum.http.guard import Guard
from modicum.http.listen import bind
from modicum.http.server import HttpApp
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext
from modicum.mcp.web import McpWebApp


@pytest.fixture
def port(desk: ToolContext) -> Iterator[int]:
    """Where a real server listens."""
    listening = bind("127.0.0.1", 0)
    door = HttpApp(desk.store, Guard(token="secret"), {"/mcp": McpWebApp(desk, choose_tools([]))})
    server = uvicorn.Server(uvicorn.Config(door, lifespan="off", log_config=None, access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()


def post(port: int, body: str, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    told = {
        "Authorization": "Bearer secret",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    connection.request("POST", "/mcp", body, {**told, **headers})
    reply = connection.getresponse()
    found = reply.status, reply.read()
    connection.close()
    return found


LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_of_the_sdk_calls_tools_over_http(port: int, mode: str) -> None:
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async def talk() -> None:
        web = create_mcp_http_client(headers={"Authorization": "Bearer secret"})
        async with (
            web,
            Client(
                streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=web),
                mode=mode,
                client_info=types.Implementation(name="claude-code", version="0"),
            ) as client,
        ):
            saved = await client.call_tool("mem_save", {"title": "a", "content": "b", "project": "shop"})
            found = await client.call_tool("mem_search", {"query": "b", "project": "shop"})
            assert saved.content[0].text.startswith("n-")
            assert saved.content[0].text[:8] in found.content[0].text
            # Nothing is kept between requests, so only a client that says in each of them who it is gets JSON.
            items = (found.structured_content or {}).get("items")
            assert items == (None if mode == "legacy" else [saved.content[0].text[:8]])

    anyio.run(talk)


def test_whoever_is_not_let_in_elsewhere_is_not_let_in_here(port: int) -> None:
    assert post(port, LIST)[0] == 200
    assert post(port, LIST, Authorization="Bearer wrong")[0] == 401
    assert post(port, LIST, Origin="https://evil.example")[0] == 403
    assert post(port, LIST, Host="evil.example")[0] == 403


def test_rubbish_is_refused_and_the_server_goes_on(port: int) -> None:
    assert post(port, "{")[0] == 400
    assert post(port, "x" * 33 * 1024 * 1024)[0] == 413
    cut = {"name": "mem_save", "arguments": {"title": "cut \ud83d", "content": "x"}}
    assert (
        b"created. Later"
        in post(port, json.dumps({**json.loads(LIST), "method": "tools/call", "params": cut}))[1]
    )
    status, body = post(port, LIST)
    assert (status, "mem_save" in body.decode()) == (200, True)


def test_events_that_are_not_kept_cannot_be_asked_for_again(port: int) -> None:
    """A client that reconnects names the last event it saw; there are none here, so it gets a stream like any other."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    told = {"Authorization": "Bearer secret", "Accept": "text/event-stream"}
    statuses = []
    for more in ({}, {"Last-Event-ID": "7"}):
        connection.request("GET", "/mcp", headers={**told, **more})
        statuses.append(connection.getresponse().status)
        connection.close()

    assert statuses[1] == statuses[0] < 500
