"""A delivery: events are sent and, if asked for, their verdicts collected."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError

from eval_producer.send import Sender
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

    def __init__(self, sender: Sender, waiter: "VerdictWaiter | None", report: "Report") -> None:
        self._sender = sender
        self._waiter = waiter
        self._report = report

    def send(self, payloads: Sequence[bytes]) -> None:
        for batch in _slices(payloads, self._sender.most_at_once):
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
    try:
        ping_or_explain_sync(client, settings)
        if settings.stream_partitions > 1:
            _expect_readers(client, settings)
        with _observed(settings) as observer:
            sender = Sender(client, settings, observer)
            yield Delivery(sender, _waiter(client, settings) if wait else None, report)
    except RedisError as error:  # while waiting: what goes wrong in sending has its own words
        raise explain(error, settings) from error
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


def _waiter(client: "redis.Redis", settings: "Settings") -> "VerdictWaiter":
    from eval_producer.await_verdicts import VerdictWaiter  # noqa: PLC0415  # sending alone is to start fast

    return VerdictWaiter(client, settings)


def _expect_readers(client: "redis.Redis", settings: "Settings") -> None:
    from eval_producer.report import say  # noqa: PLC0415  # as above
    from eval_worker.stream.partition_count import compare, count_key  # noqa: PLC0415

    try:
        written: Any = client.get(count_key(settings.redis_stream_name))
    except REDIS_ERRORS as error:  # its node is away, and those that the events go to may well be there
        say(f"STREAM_PARTITIONS can't be compared with the workers' ({type(error).__name__})")
        return
    if warning := compare(written, settings):
        say(warning)


def _slices(payloads: Sequence[bytes], size: int) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(payloads), size):
        yield payloads[start : start + size]
