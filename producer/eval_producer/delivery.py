"""A delivery: events are sent and, if asked for, their verdicts collected."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError

from eval_producer.send import Sender
from eval_worker.errors import EvalWorkerError
from eval_worker.redis_connection import REDIS_ERRORS, check_one_slot, connect_sync, explain, ping_or_explain_sync
from eval_worker.stream.sending import UNTRACED

if TYPE_CHECKING:
    from collections.abc import Generator

    import redis

    from eval_producer.await_verdicts import VerdictWaiter
    from eval_producer.report import Report
    from eval_worker.settings import Settings
    from eval_worker.stream.sending import SendObserver

BLOCK_SECONDS = 1
LAST_SPANS_SECONDS = 2.0


class Delivery:
    """`waiter` is None where nobody waits for verdicts."""

    def __init__(
        self,
        sender: Sender,
        waiter: "VerdictWaiter | None",
        report: "Report",
        expect_readers: Callable[[], None] | None = None,
    ) -> None:
        """`expect_readers` is called before what is sent; it raises where nobody would read it."""
        self._expect_readers = expect_readers
        self._sender = sender
        self._waiter = waiter
        self._report = report

    def send(self, payloads: Sequence[bytes]) -> None:
        for batch in _slices(payloads, self._sender.most_at_once):
            if self._expect_readers is not None:
                self._expect_readers()
            stream_ids = self._sender.send(batch)
            self._report.sent(stream_ids)
            if self._waiter is not None:
                self._waiter.waiting_for.update(stream_ids)
                for verdict in self._waiter.poll():
                    self._report.judged(verdict)

    def finish(self, seconds: float) -> bool:
        """Wait for the verdicts that are missing; returns whether every event has got one."""
        if self._waiter is None:
            return True
        for verdict in self._waiter.wait(seconds):
            self._report.judged(verdict)
        self._report.unjudged(self._waiter.waiting_for, seconds)
        return not (self._waiter.waiting_for or self._report.dead)


@contextmanager
def open_delivery(settings: "Settings", report: "Report", *, wait: bool) -> "Generator[Delivery]":
    """Connect, and note where the results stand before anything is sent, so that no verdict is missed."""
    if wait:
        check_one_slot(settings)
    client = connect_sync(settings, block_seconds=BLOCK_SECONDS if wait else 0)
    waiter: VerdictWaiter | None = None
    try:
        ping_or_explain_sync(client, settings)
        expect_readers = _Readers(client, settings).expect if settings.stream_partitions > 1 else None
        with _observed(settings) as observer:
            sender = Sender(client, settings, observer)
            waiter = _waiter(client, settings) if wait else None
            yield Delivery(sender, waiter, report, expect_readers)
    except RedisError as error:  # while waiting: what goes wrong in sending has its own words
        _say_what_is_missing(waiter, report)
        raise explain(error, settings) from error
    except EvalWorkerError:
        _say_what_is_missing(waiter, report)
        raise
    finally:
        client.close()


@contextmanager
def _observed(settings: "Settings") -> "Generator[SendObserver]":
    """Trace what is sent, if that is wanted; at the end the collector has a moment to take the spans."""
    if settings.tracing == "off":
        yield UNTRACED
        return
    from eval_worker.wiring.tracing import open_tracing  # noqa: PLC0415  # sending alone is to start fast

    tracing = open_tracing(settings, "eval-producer")
    if tracing is None:
        raise AssertionError("tracing that is not off is opened")
    try:
        yield tracing.sending(settings.redis_stream_name)
    finally:
        tracing.close(LAST_SPANS_SECONDS)


def _say_what_is_missing(waiter: "VerdictWaiter | None", report: "Report") -> None:
    if waiter is not None and waiter.waiting_for:
        report.left_waiting(len(waiter.waiting_for))


def _waiter(client: "redis.Redis", settings: "Settings") -> "VerdictWaiter":
    from eval_producer.await_verdicts import VerdictWaiter  # noqa: PLC0415  # sending alone is to start fast

    return VerdictWaiter(client, settings)


class _Readers:
    """Compares our number of partitions with the workers', at first and then now and then: it may change."""

    def __init__(self, client: "redis.Redis", settings: "Settings") -> None:
        self._client = client
        self._settings = settings
        self._checked_until = time.monotonic()
        self._said: set[str] = set()

    def expect(self) -> None:
        """Make sure that workers read what is about to be sent.

        Raises:
            SettingsError: they have fewer partitions.
        """
        from eval_worker.stream.partition_count import CHECKED_SECONDS, compare, count_key  # noqa: PLC0415  # as above

        if time.monotonic() < self._checked_until:
            return
        try:
            written: Any = self._client.get(count_key(self._settings.redis_stream_name))
        except REDIS_ERRORS as error:  # its node is away, and those that the events go to may well be there
            self._say_once(f"STREAM_PARTITIONS can't be compared with the workers' ({type(error).__name__})")
        else:
            self._say_once(compare(written, self._settings))
        self._checked_until = time.monotonic() + CHECKED_SECONDS

    def _say_once(self, warning: str | None) -> None:
        from eval_producer.report import say  # noqa: PLC0415  # as above

        if warning is not None and warning not in self._said:
            self._said.add(warning)
            say(warning)


def _slices(payloads: Sequence[bytes], size: int) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(payloads), size):
        yield payloads[start : start + size]
