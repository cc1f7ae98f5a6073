"""The event loop that all calls of providers are made in.

A connection belongs to the loop in which it was opened, and a provider's package keeps some for the whole process. A
program that runs `asyncio.run` twice has two loops, AWS Lambda has one for each invocation, and the library may have
several at once. So the calls have a loop of their own, in a daemon thread, which lasts as long as the process:
connections are kept whoever asks, and no end waits for a call that was given up.
"""

import asyncio
import atexit
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from eval_worker import forks
from eval_worker.models.daemon_thread_pool import DaemonThreadPool
from eval_worker.models.mailbox import Mailbox, settle

T = TypeVar("T")

_MOST_THREADS = 512  # a class without async calls of its own takes one for each, also for those that were given up
_NAME = "model-calls"
_SHARED_SECONDS = 1.0  # a look-up that takes longer may hang, where another would not
_EXIT_SECONDS = 1.0  # how long the process waits for goodbyes at its end

Call = Callable[[], Coroutine[Any, Any, T]]


def in_calls_loop(call: Call[T]) -> "asyncio.Future[T]":
    """Await the call in the loop of the calls. Where the caller is cancelled, so is the call."""
    errand = _Errand(call, _thread.home_of(asyncio.get_running_loop()), _thread.mailbox())
    return errand.sent()


def tell_calls_loop(what: Callable[[], object]) -> None:
    """Have this done in the loop of the calls, soon, whoever asks; nothing happens where there is none."""
    _thread.tell(what)


def close_at_exit(close: Call[None]) -> None:
    """Have this called in the loop of the calls before the process ends by itself."""
    _thread.closing.append(close)


class _Errand(Generic[T]):
    """A call on its way from one loop into another, and its outcome on the way back."""

    __slots__ = ("_away", "_call", "_context", "_home", "_outcome", "_task")

    def __init__(self, call: Call[T], home: Mailbox, away: Mailbox) -> None:
        self._call = call
        self._home = home
        self._away = away
        self._context: Context = copy_context()  # the tracing span that the call belongs to
        self._outcome: asyncio.Future[T] = home.loop.create_future()
        self._task: asyncio.Task[T] | None = None

    def sent(self) -> "asyncio.Future[T]":
        self._outcome.add_done_callback(self._recall)
        self._away.post(self._begin)
        return self._outcome

    def _begin(self) -> None:
        if not self._outcome.cancelled():
            self._task = self._away.loop.create_task(self._made(), context=self._context)
            self._task.add_done_callback(self._return)

    async def _made(self) -> T:
        try:
            return await self._call()
        except (SystemExit, KeyboardInterrupt) as error:  # would end the loop, and with it the calls of all others
            raise RuntimeError(f"a call of a model raised {error!r}") from error

    def _return(self, task: "asyncio.Task[T]") -> None:
        if task.cancelled():
            self._home.post(self._outcome.cancel)
        elif (error := task.exception()) is not None:
            self._home.post(settle(self._outcome, partial(self._outcome.set_exception, error)))
        else:
            self._home.post(settle(self._outcome, partial(self._outcome.set_result, task.result())))

    def _recall(self, outcome: "asyncio.Future[T]") -> None:
        if outcome.cancelled():
            self._away.post(self._cancel)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()


class _LoopThread:
    """Starts the loop when it is first needed, and again in a process that was forked off."""

    def __init__(self) -> None:
        self.closing: list[Call[None]] = []
        self._begin()

    def _begin(self) -> None:
        self._generation = forks.generation()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._mailbox: Mailbox | None = None
        self._home: Mailbox | None = None

    def mailbox(self) -> Mailbox:
        """Return the way into the loop."""
        if self._generation != forks.generation():
            self._begin()
        if (mailbox := self._mailbox) is not None and self._is_alive:
            return mailbox
        with self._lock:
            if self._mailbox is None or not self._is_alive:
                self._mailbox = self._start()
            return self._mailbox

    def home_of(self, loop: asyncio.AbstractEventLoop) -> Mailbox:
        """Return the way back into a caller's loop: the last one's is kept, since most programs have one."""
        home = self._home
        if home is None or home.loop is not loop:
            home = self._home = Mailbox(loop)
        return home

    def tell(self, what: Callable[[], object]) -> None:
        if self._mailbox is not None and self._is_alive:
            self._mailbox.post(what)

    @property
    def _is_alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _start(self) -> Mailbox:
        loop = _CallsLoop()
        loop.set_default_executor(_DaemonExecutor())
        self._thread = threading.Thread(target=loop.run_forever, name=_NAME, daemon=True)
        self._thread.start()
        atexit.unregister(self._stop)
        atexit.register(self._stop)
        return Mailbox(loop)

    def _stop(self) -> None:
        if self._mailbox is None or self._thread is None or not self._is_alive:
            return
        loop = self._mailbox.loop
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._say_goodbye(), loop).result(_EXIT_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join(_EXIT_SECONDS)
        if not self._is_alive:
            loop.close()

    async def _say_goodbye(self) -> None:
        given_up = asyncio.all_tasks() - {asyncio.current_task()}
        for task in given_up:
            task.cancel()
        await asyncio.gather(*given_up, *(close() for close in self.closing), return_exceptions=True)
        await asyncio.sleep(0)  # in which the transports let go of their sockets


class _CallsLoop(asyncio.SelectorEventLoop):
    """asyncio's own loop, whatever the program has chosen for itself.

    Those who ask for the same address share a look-up: hundreds of connections that are opened together would each take
    a thread for it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._look_ups: dict[object, _LookUp] = {}

    async def getaddrinfo(self, host: Any, port: Any, **kind: Any) -> Any:
        asked = (host, port, *sorted(kind.items()))
        look_up = self._look_ups.get(asked)
        if look_up is None or look_up.finding.done() or look_up.began < self.time() - _SHARED_SECONDS:
            finding = self.create_task(super().getaddrinfo(host, port, **kind), context=Context())
            finding.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # all may have given up
            look_up = self._look_ups[asked] = _LookUp(finding, self.time())
        return await asyncio.shield(look_up.finding)


@dataclass(frozen=True, slots=True)
class _LookUp:
    finding: asyncio.Task[Any]
    began: float


class _DaemonExecutor(ThreadPoolExecutor):
    """What blocking calls are run in: of LangChain, and to look up names. The end of the process does not wait for it.

    It is a ThreadPoolExecutor by name alone, since a loop takes no other as its default.
    """

    def __init__(self) -> None:
        super().__init__(max_workers=1)
        self._daemons = DaemonThreadPool(_MOST_THREADS, _NAME)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        return self._daemons.submit(partial(fn, *args, **kwargs))


_thread = _LoopThread()
