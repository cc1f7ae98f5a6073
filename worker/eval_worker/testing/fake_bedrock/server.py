"""The fake Bedrock in a background thread of this process."""

from typing import Self

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.outcome import Outcome
from eval_worker.testing.fake_bedrock.prompt_cache import FLOOR_TOKENS
from eval_worker.testing.fake_bedrock.replies import HIGHEST_LEVEL
from eval_worker.testing.fake_bedrock.service import Service
from eval_worker.testing.fake_bedrock.steering import Steering
from eval_worker.testing.fake_provider.background import BackgroundServer
from eval_worker.testing.fake_provider.condition import ANY_CALL, Condition
from eval_worker.testing.fake_provider.counters import Counters


class FakeBedrock(Steering):
    """Serves inside `with`; may be steered before, meanwhile, and from any thread."""

    def __init__(
        self,
        *,
        port: int = 0,
        level: int = HIGHEST_LEVEL,
        latency: float = 0,
        prompt_cache_floor: int = FLOOR_TOKENS,
    ) -> None:
        self._service = Service(level, latency, prompt_cache_floor=prompt_cache_floor)
        self._server = BackgroundServer(self._service.handle, port, "fake-bedrock")

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Cut every connection and end the thread; what was counted can still be read."""
        self._server.close()

    @property
    def url(self) -> str:
        return self._server.url

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

    def limit(self, calls_per_second: float) -> None:
        self._service.call_limit.calls_per_second = calls_per_second

    def calm(self) -> None:
        self._service.calm()

    def counters(self) -> Counters:
        return self._service.log.counters()

    def requests(self) -> list[Call]:
        return self._service.log.requests()

    def forget(self) -> None:
        self._service.log.forget()
