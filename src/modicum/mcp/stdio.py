"""Serves MCP over standard input and output: reads in a thread, answers early, then hands over to the SDK."""

import os
from _queue import SimpleQueue
from _thread import allocate_lock
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from modicum.mcp.early import EarlyAnswers
from modicum.mcp.surrogates import repaired

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

CHUNK = 65_536


class StdioStreams:
    """Standard input and output as the streams of an MCP server.

    Lines are read from the start on. Until the SDK takes over, what can be answered early is; the rest waits for it.
    """

    def __init__(self, early: EarlyAnswers) -> None:
        self.early = early
        self.source, self.sink = _claimed(0, os.open(os.devnull, os.O_RDONLY)), _claimed(1, _errors())
        self.waiting: SimpleQueue[str | None] = SimpleQueue()
        self.answering = allocate_lock()
        self.unwanted = ""

    def start(self) -> None:
        """Starts to read the MCP client's lines in a thread that ends with the process."""
        from threading import Thread

        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError):  # the client is gone, which is what the end of its input says
            for line in split_lines(self.source):
                self._take(repaired(line).decode("utf-8", "replace"))
        self.waiting.put(None)

    def _take(self, line: str) -> None:
        with self.answering:
            reply = self.early.reply(line)
            if reply is not None:
                _write(self.sink, reply)
            if reply is None or line is self.early.opening:
                self.waiting.put(line)

    def take_over(self) -> None:
        """Ends the early answers: from now on every line is answered by the SDK."""
        with self.answering:
            self.early.over = True
            self.unwanted = self.early.unwanted()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        from anyio.to_thread import run_sync

        line = await run_sync(self.waiting.get, abandon_on_cancel=True)
        if line is None:
            raise StopAsyncIteration
        return line

    async def write(self, text: str) -> None:
        """Writes a reply of the SDK to the MCP client, unless it answers what was answered early."""
        from anyio.to_thread import run_sync

        if self.unwanted and text.startswith(self.unwanted):
            self.unwanted = ""
            return
        with suppress(BrokenPipeError):  # the end of the input comes next
            await run_sync(_write, self.sink, text)

    async def flush(self) -> None:
        """Does nothing: what is written to the MCP client is not kept back."""


def split_lines(descriptor: int) -> Iterator[bytes]:
    """Yields the lines that an MCP client writes, without their ends; also the last one, if it has no end."""
    parts: list[bytes] = []
    while chunk := os.read(descriptor, CHUNK):
        *ends, begun = chunk.split(b"\n")
        for end in ends:
            yield b"".join((*parts, end))
            parts.clear()
        parts.append(begun)
    if any(parts):
        yield b"".join(parts)


def _claimed(descriptor: int, instead: int) -> int:
    """Returns a copy that only we have; what others read or print there meanwhile goes elsewhere."""
    ours = os.dup(descriptor)
    os.dup2(instead, descriptor)
    os.close(instead)
    return ours


def _errors() -> int:
    try:
        return os.dup(2)
    except OSError:  # there is none
        return os.open(os.devnull, os.O_WRONLY)


def _write(descriptor: int, text: str) -> None:
    left = memoryview(text.encode())
    while left:
        left = left[os.write(descriptor, left) :]


def serve_stdio(server: "Server[Any]", streams: StdioStreams) -> None:
    """Serves MCP over standard input and output to one client, until the client closes the input."""
    import anyio
    from mcp.server.stdio import stdio_server

    wire: Any = streams  # as much of a file as the SDK uses

    async def run() -> None:
        async with stdio_server(wire, wire) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    streams.take_over()
    try:
        anyio.run(run)
    finally:
        streams.waiting.put(None)  # ends the thread that waits for the next line
