"""The event loop that all chat models of a process are called in.

Providers' packages keep their HTTP clients for the whole process, several models sharing one, and a client belongs to
the loop in which its connections were opened. A program that runs `asyncio.run` twice has two. So the calls have a loop
of their own, in a daemon thread, which lasts as long as the process.
"""

import asyncio
import atexit
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from eval_worker.models.daemon_thread_pool import DaemonThreadPool

T = TypeVar("T")

_MOST_THREADS = 512  # a class without async calls of its own takes one for each, also for those that were given up
_NAME = "langchain"
_EXIT_SECONDS = 1.0  # how long the process waits for goodbyes at its end

Close = Callable[[], Coroutine[Any, Any, None]]


async def in_calls_loop(call: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Await the call in the loop of the calls. Where the caller is cancelled, so is the call."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call(), _thread.loop()))


def close_at_exit(close: Close) -> None:
    """Have this called in the loop of the calls before the process ends by itself."""
    _thread.closing.append(close)


class _LoopThread:
    """Starts the loop when it is first needed, and again in a process that was forked off."""

    def __init__(self) -> None:
        self.closing: list[Close] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._loop.set_default_executor(_DaemonExecutor())
                self._thread = threading.Thread(target=self._loop.run_forever, name=_NAME, daemon=True)
                self._thread.start()
                atexit.unregister(self._stop)
                atexit.register(self._stop)
            return self._loop

    def _stop(self) -> None:
        if self._loop is None or self._thread is None or not self._thread.is_alive():
            return
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._say_goodbye(), self._loop).result(_EXIT_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_EXIT_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    async def _say_goodbye(self) -> None:
        given_up = asyncio.all_tasks() - {asyncio.current_task()}
        for task in given_up:
            task.cancel()
        await asyncio.gather(*given_up, *(close() for close in self.closing), return_exceptions=True)
        await asyncio.sleep(0)  # in which the transports let go of their sockets


class _DaemonExecutor(ThreadPoolExecutor):
    """What LangChain runs blocking calls in. The end of the process does not wait for its threads.

    It is a ThreadPoolExecutor by name alone, since a loop takes no other as its default.
    """

    def __init__(self) -> None:
        super().__init__(max_workers=1)
        self._daemons = DaemonThreadPool(_MOST_THREADS, _NAME)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        return self._daemons.submit(partial(fn, *args, **kwargs))


_thread = _LoopThread()
