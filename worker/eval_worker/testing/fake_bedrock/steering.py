"""How tests tell a fake Bedrock what to do: the same methods for one in this process and one in another."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.outcome import Outcome
from eval_worker.testing.fake_bedrock.replies import HIGHEST_LEVEL, RATIONALE, Reply
from eval_worker.testing.fake_provider.condition import ANY_CALL, Condition
from eval_worker.testing.fake_provider.counters import Counters
from eval_worker.testing.fake_provider.waiting import wait_until


class Steering(ABC):
    """`when` narrows a rule to some calls; `times` or `seconds` end it; else it stands until `calm()`."""

    @property
    @abstractmethod
    def url(self) -> str: ...

    @abstractmethod
    def script(
        self, outcome: Outcome, *, when: Condition = ANY_CALL, times: int | None = None, seconds: float | None = None
    ) -> None:
        """Let this become of the calls."""

    @abstractmethod
    def latency(
        self,
        seconds: float,
        *,
        when: Condition = ANY_CALL,
        times: int | None = None,
        for_seconds: float | None = None,
    ) -> None:
        """Let the calls take this long, whatever becomes of them; `for_seconds` ends the rule."""

    @abstractmethod
    def limit(self, calls_per_second: float) -> None:
        """Take so many calls in any second, and throttle the others at once."""

    @abstractmethod
    def calm(self) -> None:
        """Forget every rule: calls are answered as at the start again."""

    @abstractmethod
    def counters(self) -> Counters:
        """Return what was counted so far."""

    @abstractmethod
    def requests(self) -> list[Call]:
        """Return the last calls, oldest first."""

    @abstractmethod
    def forget(self) -> None:
        """Set the counters back to nothing."""

    def reply(
        self,
        level: int | Sequence[int] = HIGHEST_LEVEL,
        *,
        rationale: str = RATIONALE,
        when: Condition = ANY_CALL,
        times: int | None = None,
        seconds: float | None = None,
    ) -> None:
        """Let the calls be answered with this level; several are given in turn."""
        self.script(Reply(level, rationale), when=when, times=times, seconds=seconds)

    def wait_until(self, condition: Callable[[Counters], bool], timeout: float = 10) -> Counters:
        """Block until the counters are as wanted: `wait_until(lambda seen: seen.in_flight == 3)`.

        Inside a coroutine: `await asyncio.to_thread(bedrock.wait_until, …)`.

        Raises:
            TimeoutError: it did not come to that.
        """
        return wait_until(self.counters, condition, timeout)

    def environment(self) -> dict[str, str]:
        """Return what to start a process with so that its boto3 calls this fake."""
        return {
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": self.url,
            "AWS_ACCESS_KEY_ID": "fake",
            "AWS_SECRET_ACCESS_KEY": "fake",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",  # the one that boto3 reads by itself
            "AWS_EC2_METADATA_DISABLED": "true",
            "NO_PROXY": "127.0.0.1",
        }
