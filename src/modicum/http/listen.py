"""Listens on a port: binds the socket, makes the uvicorn server and runs it until it is stopped."""

import errno
import os
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from modicum.base.errors import ModicumError

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from modicum.http.limits.connections import ConnectionLimits

QUEUE = 2048  # connections that wait to be accepted
IDLE_SECONDS = 60  # after which tokenizers that nobody used are unloaded
ACCEPTED_AT_ONCE = 8  # in one turn of the loop; it takes a few turns until one too many is closed again


def bind(host: str, port: int) -> socket.socket:
    """Returns a socket that listens on a port. Raises ModicumError if the port or address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only a socket that says TCP gets TCP_NODELAY from asyncio; without it each reply waits 40 ms for its second half.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(QUEUE)
    except (OSError, OverflowError) as error:
        listening.close()
        raise _not_opened(error, host, port) from error
    return listening


def _not_opened(error: Exception, host: str, port: int) -> ModicumError:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return ModicumError(f"port {port} is taken", remedy="stop who has it, or choose another with --port")
    return ModicumError(
        f"{host}:{port} cannot be opened: {error}", remedy="choose another with --host or --port"
    )


def make_server(
    app: "ASGIApp", limits: "ConnectionLimits | None" = None, closing: Callable[[], None] | None = None
) -> "uvicorn.Server":
    """Returns a uvicorn server that can listen for the application, with limits on its connections.

    `closing` is called when the server stops, before it waits for replies that have not ended.
    """
    import uvicorn

    from modicum.http.limits.connections import BoundedProtocol, Connections, usual_limits

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            # uvicorn has one number for the queue and for how many are accepted at once.
            for listening in sockets or ():
                listening.listen(QUEUE)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if closing:
                closing()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        http=partial(BoundedProtocol, shared=Connections(limits or usual_limits())),  # type: ignore[arg-type]  # uvicorn declares a class and only calls it
        backlog=ACCEPTED_AT_ONCE,
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=5,
        timeout_notify=IDLE_SECONDS,
        callback_notify=_unload_unused,
    )
    return Server(config)


async def _unload_unused() -> None:
    if "modicum.engine.tokens" in sys.modules:
        from modicum.engine.tokens import unload_unused

        unload_unused()


def run(app: "ASGIApp", listening: socket.socket, closing: Callable[[], None] | None = None) -> None:
    """Serves HTTP on a listening socket until the server is stopped; then calls `closing`."""
    from modicum.http.limits.log_lines import limit_log

    limit_log()
    make_server(app, closing=closing).run(sockets=[listening])
