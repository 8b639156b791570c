"""Work in threads: its result, how much at a time, and what happens when a request is cancelled."""

import asyncio
import threading
from contextvars import ContextVar

import pytest

from modicum.http.threads import RequestThreads

SAID: ContextVar[str] = ContextVar("SAID", default="")


def test_work_has_its_result_and_the_context_of_its_request() -> None:
    async def talk() -> tuple[int, str]:
        SAID.set("hello")
        threads = RequestThreads(2)
        return await threads.run(int, "7"), await threads.run(SAID.get)

    assert asyncio.run(talk()) == (7, "hello")


def test_an_error_is_that_of_the_work() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(RequestThreads(1).run(int, "x"))


def test_no_more_run_at_once_than_there_are_threads() -> None:
    running, most, lock = 0, 0, threading.Lock()

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.01)
        with lock:
            running -= 1

    async def talk() -> None:
        threads = RequestThreads(2)
        await asyncio.gather(*(threads.run(work) for _ in range(8)))

    asyncio.run(talk())

    assert most == 2


def test_a_thread_starts_only_if_all_others_are_at_work() -> None:
    async def talk() -> set[int]:
        threads = RequestThreads(4)
        return {await threads.run(threading.get_ident) for _ in range(50)}

    assert len(asyncio.run(talk())) == 1


def test_a_thread_that_is_still_at_work_gets_no_other() -> None:
    begun, may_end = threading.Event(), threading.Event()

    async def talk() -> int:
        threads = RequestThreads(2)
        task = asyncio.create_task(threads.run(lambda: (begun.set(), may_end.wait(60))))
        await asyncio.to_thread(begun.wait, 60)
        for _ in range(2):  # the second time it does not wait for the end
            task.cancel()
            await asyncio.sleep(0.01)
        with pytest.raises(asyncio.CancelledError):
            await task
        try:
            return await asyncio.wait_for(threads.run(int, "7"), 30)
        finally:
            may_end.set()

    assert asyncio.run(talk()) == 7


def test_a_thread_that_does_not_start_may_start_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk() -> int:
        threads = RequestThreads(1)
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", _refuse)
            with pytest.raises(RuntimeError):
                await threads.run(int, "1")
        return await threads.run(int, "7")

    assert asyncio.run(talk()) == 7


def _refuse(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_whoever_is_cancelled_waits_for_the_end_of_the_work() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        may_end.wait(60)
        ended.set()

    async def talk() -> bool:
        task = asyncio.create_task(RequestThreads(1).run(work))
        await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        await asyncio.sleep(0.01)
        assert not task.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        return ended.is_set()

    assert asyncio.run(talk())
