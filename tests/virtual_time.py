"""An event loop whose time passes only while it waits, so that a minute of waiting takes no time at all."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _VirtualTimeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        super().__init__()
        self._now = 1_000_000.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self._now = max(self._now, self._scheduled[0].when())  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


def in_virtual_time(scenario: Callable[[Callable[[], float]], Awaitable[T]]) -> T:
    """Run what is made with the loop's clock to its end: however slow the machine, no deadline comes early."""
    loop = _VirtualTimeLoop()

    async def run() -> T:
        return await scenario(loop.time)

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(run())


def run_in_virtual_time(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run it as `asyncio.run` does. It must not wait for threads or sockets: all deadlines would come first."""
    return in_virtual_time(lambda _now: coroutine)


async def passing(seconds: float) -> Any:
    await asyncio.sleep(seconds)
