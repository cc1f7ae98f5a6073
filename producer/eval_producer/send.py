"""Sends events and never sends one again: a producer that repeats itself makes two entries of one event."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from redis.exceptions import OutOfMemoryError, RedisError, ResponseError

from eval_worker.errors import EvalWorkerError, RedisUnavailableError
from eval_worker.event import PAYLOAD_FIELD
from eval_worker.partitions import Partition, Partitioner
from eval_worker.redaction import without_secrets
from eval_worker.redis_connection import address, explain
from eval_worker.stream.sending import UNTRACED, Sending, SendObserver

if TYPE_CHECKING:
    import redis

    from eval_worker.settings import Settings


class Sender:
    """Adds events to the stream, or to their partitions of it, many in one round trip."""

    def __init__(self, client: "redis.Redis", settings: "Settings", observer: SendObserver = UNTRACED) -> None:
        self._observer = observer
        self._client: Any = client
        self._partitioner = Partitioner(settings)
        self._address = address(settings)
        self._settings = settings
        # A cluster client's pipeline repeats commands whose connection broke, even without retries.
        self.most_at_once = 1 if settings.redis_cluster else 256

    def send(self, payloads: Sequence[bytes]) -> list[str]:
        """Add events in order and return their stream ids.

        Raises:
            EvalWorkerError: saying how many of them were surely taken, and whether others may have been.
        """
        partitions = [self._partitioner.partition_of(payload) for payload in payloads]
        sendings = [self._observer.start() for _ in payloads]
        try:
            replies = self._add(partitions, payloads, sendings)
        except OutOfMemoryError as error:
            raise explain(error, self._settings) from error
        except ResponseError as error:
            raise EvalWorkerError(f"Redis at {self._address} refused the event: {self._words(error)}") from error
        except (RedisError, OSError) as error:
            raise RedisUnavailableError(
                f"the connection to Redis at {self._address} broke ({type(error).__name__}): {_what(len(payloads))} "
                "may or may not have been taken; look before sending again, as an event sent twice is judged twice"
            ) from error
        refused = next((reply for reply in replies if isinstance(reply, Exception)), None)
        if refused is not None:
            taken = sum(isinstance(reply, bytes) for reply in replies)
            raise EvalWorkerError(
                f"Redis at {self._address} took {taken} of the last {len(payloads)} events and refused the others: "
                f"{self._words(refused)}"
            )
        return [each.prefix + reply.decode() for each, reply in zip(partitions, replies, strict=True)]

    def _words(self, error: Exception) -> str:
        if isinstance(error, OutOfMemoryError):
            return str(explain(error, self._settings))
        return without_secrets(str(error), self._settings.secrets)

    def _add(
        self, partitions: Sequence[Partition], payloads: Sequence[bytes], sendings: Sequence[Sending]
    ) -> list[Any]:
        commands = [_command(*each) for each in zip(partitions, payloads, sendings, strict=True)]
        try:
            replies = [self._client.execute_command(*commands[0])] if len(commands) == 1 else self._add_all(commands)
        except (RedisError, OSError) as error:
            for sending in sendings:
                sending.failed(error)
            raise
        for partition, sending, reply in zip(partitions, sendings, replies, strict=True):
            if isinstance(reply, Exception):
                sending.failed(reply)
            else:
                sending.sent(partition.prefix + reply.decode())
        return replies

    def _add_all(self, commands: Sequence[list[Any]]) -> list[Any]:
        pipeline = self._client.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        return pipeline.execute(raise_on_error=False)


def _command(partition: Partition, payload: bytes, sending: Sending) -> list[Any]:
    return ["XADD", partition.events, "*", PAYLOAD_FIELD, payload, *sending.fields]


def _what(count: int) -> str:
    return "the event" if count == 1 else f"the last {count} events"
