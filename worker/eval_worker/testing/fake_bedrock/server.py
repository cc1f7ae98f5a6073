"""The fake Bedrock in a background thread of this process."""

import asyncio
import threading
from concurrent.futures import Future
from typing import Self

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.condition import ANY_CALL, Condition
from eval_worker.testing.fake_bedrock.counters import Counters
from eval_worker.testing.fake_bedrock.http_server import HOST, http_server
from eval_worker.testing.fake_bedrock.outcome import Outcome
from eval_worker.testing.fake_bedrock.replies import HIGHEST_LEVEL
from eval_worker.testing.fake_bedrock.service import Service
from eval_worker.testing.fake_bedrock.steering import Steering


class FakeBedrock(Steering):
    """Serves inside `with`; may be steered before, meanwhile, and from any thread."""

    def __init__(self, *, port: int = 0, level: int = HIGHEST_LEVEL, latency: float = 0) -> None:
        self._service = Service(level, latency)
        self._wanted_port = port
        self._listening: Future[int] = Future()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    def __enter__(self) -> Self:
        self._listening = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="fake-bedrock", daemon=True)
        self._thread.start()
        self._listening.result()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Cut every connection and end the thread; what was counted can still be read."""
        if self._loop and self._stop and self._thread and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    @property
    def url(self) -> str:
        if not self._listening.done():
            raise RuntimeError("the fake is not running yet: use it as `with FakeBedrock() as bedrock:`")
        return f"http://{HOST}:{self._listening.result()}"

    def script(
        self, outcome: Outcome, *, when: Condition = ANY_CALL, times: int | None = None, seconds: float | None = None
    ) -> None:
        self._service.outcomes.add(outcome, when & outcome.only_when, times, seconds)

    def latency(
        self,
        seconds: float,
        *,
        when: Condition = ANY_CALL,
        times: int | None = None,
        for_seconds: float | None = None,
    ) -> None:
        self._service.latencies.add(seconds, when, times, for_seconds)

    def calm(self) -> None:
        self._service.calm()

    def counters(self) -> Counters:
        return self._service.log.counters()

    def requests(self) -> list[Call]:
        return self._service.log.requests()

    def forget(self) -> None:
        self._service.log.forget()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            async with http_server(self._service.handle, self._wanted_port) as port:
                self._listening.set_result(port)
                await self._stop.wait()
        except OSError as error:
            self._listening.set_exception(error)
