"""Threads for blocking calls that may be abandoned."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class DaemonThreadPool:
    """At most `size` threads, started as they are needed.

    Unlike those of `ThreadPoolExecutor` they are daemons: a process does not wait at its exit for calls that nobody
    waits for any more.
    """

    def __init__(self, size: int, name: str) -> None:
        self._size = size
        self._name = name
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._spare = 0  # threads without work, less the calls queued for them; means nothing once all are started
        self._closed = False

    def submit(self, call: Callable[[], T]) -> "Future[T]":
        """Run the call in a thread, at once if one is free.

        Raises:
            RuntimeError: the pool was closed.
        """
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError(f"{self._name} was closed and takes no more calls")
            self._work.put((future, call))
            if self._spare:
                self._spare -= 1
            elif self._threads < self._size:
                self._threads += 1
                threading.Thread(target=self._run, name=f"{self._name}-{self._threads}", daemon=True).start()
        return future

    def close(self) -> None:
        """Cancel the calls that have not begun. Those under way go on until they end by themselves."""
        with self._lock:
            self._closed = True
            threads = self._threads
        while True:
            try:
                waiting = self._work.get_nowait()
            except Empty:
                break
            if waiting:
                waiting[0].cancel()
        for _ in range(threads):
            self._work.put(None)

    def _run(self) -> None:
        while waiting := self._work.get():
            _perform(*waiting)
            del waiting  # an idle thread must not keep the last call's result alive
            with self._lock:
                self._spare += 1


def _perform(future: Future[Any], call: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:  # noqa: BLE001, it is the caller's, who gets it from the future
        future.set_exception(error)
    else:
        future.set_result(result)
