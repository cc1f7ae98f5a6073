"""Threads for blocking calls that may be abandoned."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from eval_worker import forks
from eval_worker.models.mailbox import Mailbox, settle

T = TypeVar("T")


class DaemonThreadPool:
    """At most `size` threads, started as they are needed.

    Unlike those of `ThreadPoolExecutor` they are daemons: a process does not wait at its exit for calls that nobody
    waits for any more. An event loop that hands over hundreds of calls a second never waits here for a thread: there
    is no lock on that way, as every step of it is a single one to the interpreter. A process that is forked off begins
    with none.
    """

    def __init__(self, size: int, name: str) -> None:
        self._size = size
        self._name = name
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._generation = forks.generation()
        self._work: SimpleQueue[_Work | None] = SimpleQueue()
        self._spare: deque[None] = deque()  # one for each thread without work, less the calls queued for them
        self._starting = threading.Lock()
        self._threads = 0
        self._mailbox: Mailbox | None = None

    def submit(self, call: Callable[[], T]) -> "Future[T]":
        """Run the call in a thread, at once if one is free; for callers that are threads themselves.

        Raises:
            RuntimeError: the pool was closed, or no thread can be started.
        """
        future: Future[T] = Future()
        self._put(_ForThread(future, call))
        return future

    def run(self, call: Callable[[], T]) -> "asyncio.Future[T]":
        """Do the same for a coroutine, in whose loop the result arrives. Cancelled before it begins, it never does.

        Raises:
            RuntimeError: the pool was closed, or no thread can be started.
        """
        loop = asyncio.get_running_loop()
        mailbox = self._mailbox
        if mailbox is None or mailbox.loop is not loop:
            mailbox = self._mailbox = Mailbox(loop)
        future: asyncio.Future[T] = loop.create_future()
        self._put(_ForLoop(future, call, mailbox))
        return future

    def close(self) -> None:
        """Cancel the calls that have not begun. Those under way go on until they end by themselves."""
        with self._starting:
            self._closed = True
            threads = self._threads
        while True:
            try:
                waiting = self._work.get_nowait()
            except Empty:
                break
            if waiting:
                waiting.cancel()
        for _ in range(threads):
            self._work.put(None)

    def _put(self, work: "_Work") -> None:
        if self._generation != forks.generation():
            self._begin()
        if not self._closed:
            self._work.put(work)
        if self._closed:  # looked at once more: close() may have emptied the queue before this was put there
            work.cancel()
            raise RuntimeError(f"{self._name} was closed and takes no more calls")
        try:
            self._spare.pop()
        except IndexError:
            if self._threads < self._size:
                self._start_thread(work)

    def _start_thread(self, work: "_Work") -> None:
        with self._starting:
            if self._threads == self._size or self._closed:
                return
            self._threads += 1
            name = f"{self._name}-{self._threads}"
        try:
            threading.Thread(target=self._run, name=name, daemon=True).start()
        except RuntimeError:  # the system has no more threads for us
            with self._starting:
                self._threads -= 1
                if self._threads == 0:
                    work.cancel()  # so that it is not made later, when nobody waits for it
                    raise

    def _run(self) -> None:
        while work := self._work.get():
            work.perform()
            del work  # an idle thread must not keep the last call's result alive
            self._spare.append(None)


class _Work(Protocol):
    def perform(self) -> None: ...

    def cancel(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _ForThread:
    future: "Future[Any]"
    call: Callable[[], Any]

    def perform(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            result = self.call()
        except BaseException as error:  # noqa: BLE001, it is the caller's, who gets it from the future
            self.future.set_exception(error)
        else:
            self.future.set_result(result)

    def cancel(self) -> None:
        self.future.cancel()


@dataclass(frozen=True, slots=True)
class _ForLoop:
    future: "asyncio.Future[Any]"
    call: Callable[[], Any]
    mailbox: Mailbox

    def perform(self) -> None:
        if self.future.cancelled():
            return
        try:
            settled = partial(self.future.set_result, self.call())
        except BaseException as error:  # noqa: BLE001, it is the caller's, who gets it from the future
            settled = partial(self.future.set_exception, error)
        self.mailbox.post(settle(self.future, settled))

    def cancel(self) -> None:
        self.mailbox.post(self.future.cancel)
