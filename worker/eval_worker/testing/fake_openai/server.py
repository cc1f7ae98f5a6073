"""The fake in a background thread of this process."""

from collections.abc import Callable
from typing import Self

from eval_worker.testing.fake_openai.call import ChatCall
from eval_worker.testing.fake_openai.outcomes import HIGHEST_LEVEL, Outcome
from eval_worker.testing.fake_openai.service import Service
from eval_worker.testing.fake_provider.background import BackgroundServer
from eval_worker.testing.fake_provider.condition import ANY_CALL, Condition
from eval_worker.testing.fake_provider.counters import Counters
from eval_worker.testing.fake_provider.waiting import wait_until


class FakeOpenAI:
    """Serves inside `with`; may be steered before, meanwhile, and from any thread."""

    def __init__(self, *, port: int = 0, level: int = HIGHEST_LEVEL, latency: float = 0) -> None:
        self._service = Service(level, latency)
        self._server = BackgroundServer(self._service.handle, port, "fake-openai")

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Cut every connection and end the thread; what was counted can still be read."""
        self._server.close()

    @property
    def base_url(self) -> str:
        """What clients take as `base_url`."""
        return f"{self._server.url}/v1"

    def script(
        self, outcome: Outcome, *, when: Condition = ANY_CALL, times: int | None = None, seconds: float | None = None
    ) -> None:
        """Let this become of the calls that `when` is about, for so many of them or so long, else until `calm()`."""
        self._service.outcomes.add(outcome, when, times, seconds)

    def latency(self, seconds: float, *, when: Condition = ANY_CALL, times: int | None = None) -> None:
        """Let the calls take this long, whatever becomes of them."""
        self._service.latencies.add(seconds, when, times)

    def calm(self) -> None:
        """Forget every rule: calls are answered as at the start again."""
        self._service.outcomes.clear()
        self._service.latencies.clear()

    def counters(self) -> Counters:
        return self._service.log.counters()

    def requests(self) -> list[ChatCall]:
        """Return the last calls, oldest first."""
        return self._service.log.requests()

    def forget(self) -> None:
        """Set the counters back to nothing."""
        self._service.log.forget()

    def wait_until(self, condition: Callable[[Counters], bool], timeout: float = 10) -> Counters:
        """Block until the counters are as wanted: `wait_until(lambda seen: seen.in_flight == 3)`.

        Raises:
            TimeoutError: it did not come to that.
        """
        return wait_until(self.counters, condition, timeout)
