"""The MCP server over streamable HTTP: an ASGI application that imports the SDK when first called."""

import asyncio
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync
from starlette.types import Message, Receive, Scope, Send

from modicum.mcp.family import OfferedTools
from modicum.mcp.tool import ToolContext

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

LARGEST_BODY = 64 * 1024 * 1024  # whoever hands requests over has a limit of its own below this


class McpWebApp:
    """The ASGI application that serves MCP over web requests. Nothing is kept between requests."""

    def __init__(self, context: ToolContext, offered: OfferedTools) -> None:
        self.context, self.offered = context, offered
        self.starting: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self.running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.starting is None:
            self.starting = asyncio.get_running_loop().create_future()
            self.running = asyncio.create_task(self._run(self.starting))
        manager = await asyncio.shield(self.starting)
        await manager.handle_request(_from_the_start(scope), _mending(receive), send)

    async def _run(self, starting: "asyncio.Future[StreamableHTTPSessionManager]") -> None:
        try:
            manager = await run_sync(_make_manager, self.context, self.offered)
            async with manager.run():
                starting.set_result(manager)
                await asyncio.Event().wait()
        except Exception as error:
            if starting.done():
                raise
            starting.set_exception(error)


def _from_the_start(scope: Scope) -> Scope:
    """The request without Last-Event-ID: no events are kept to go on from, and the SDK then sends no reply at all."""
    return {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"last-event-id"]}


def _mending(receive: Receive) -> Receive:
    from modicum.mcp.surrogates import repaired

    async def receive_mended() -> Message:
        message = await receive()
        return {**message, "body": repaired(message["body"])} if message.get("body") else message

    return receive_mended


def _make_manager(context: ToolContext, offered: OfferedTools) -> "StreamableHTTPSessionManager":
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from modicum.mcp.server import make_server

    server = make_server(context, offered)
    return StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, max_request_body_size=LARGEST_BODY
    )
