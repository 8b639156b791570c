"""Threads in which the HTTP server does work that blocks, a fixed number at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")


class RequestThreads:
    """The threads for HTTP requests of one kind. They are asyncio's: to load another library for them doubles the time to start.

    The thread that was idle last works next: each has a connection to the database, and another one starts only if
    all others are at work.
    """

    def __init__(self, most: int) -> None:
        self.idle = [ThreadPoolExecutor(1) for _ in range(most)]  # which starts its thread when it has work
        self.places = asyncio.Semaphore(most)

    async def run(self, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> Made:
        """Does the work in a thread and returns what it returns; whoever gives up meanwhile waits for its end all the same."""
        await self.places.acquire()
        done = self._start(partial(copy_context().run, work, *given, **named))
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            # Until then it uses the store, which is closed after the last request.
            await asyncio.wait([done])
            raise

    def _start(self, work: Callable[[], Made]) -> "asyncio.Future[Made]":
        """Starts work in an idle thread, which is idle again when the work has ended, whoever still waits for it."""
        thread = self.idle.pop()
        try:
            done = asyncio.get_running_loop().run_in_executor(thread, work)
        except RuntimeError:  # the system starts no more threads; what waits in this one must not run later
            thread.shutdown(wait=False, cancel_futures=True)
            self._end(ThreadPoolExecutor(1))
            raise
        done.add_done_callback(lambda _: self._end(thread))
        return done

    def _end(self, thread: ThreadPoolExecutor) -> None:
        self.idle.append(thread)
        self.places.release()
