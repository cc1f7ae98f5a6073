"""Sends the events, evenly over the time, each exactly once, whatever happens to the server meanwhile."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from eval_worker.redis_connection import REDIS_ERRORS

RETRY_SECONDS = 0.1
MOST_AT_ONCE = 64
_EXISTS = "equal or smaller"


class Producer:
    """Names the entries itself, one after the other.

    A lost reply leaves open whether the entry was made. Sent again under the same id, the server refuses what it has.
    """

    def __init__(self, client: Redis, stream: str, payloads: Sequence[str], seconds: float) -> None:
        self._client = client
        self._stream = stream
        self._payloads = payloads
        self._seconds = seconds
        self._epoch_ms = int(time.time() * 1000)
        self.sent = 0

    @property
    def ids(self) -> list[str]:
        return [self._id(number) for number in range(len(self._payloads))]

    async def run(self) -> None:
        started = time.monotonic()
        while self.sent < len(self._payloads):
            share = (time.monotonic() - started) / self._seconds if self._seconds else 1.0
            due = min(int(share * len(self._payloads)) + 1, len(self._payloads), self.sent + MOST_AT_ONCE)
            if due > self.sent:
                await self._send_all(range(self.sent, due))
            else:
                await asyncio.sleep(self._seconds / len(self._payloads))

    def _id(self, number: int) -> str:
        return f"{self._epoch_ms}-{number + 1}"

    async def _send_all(self, numbers: range) -> None:
        while True:
            pipeline: Any = self._client.pipeline(transaction=False)
            for number in numbers:
                pipeline.xadd(self._stream, {"payload": self._payloads[number]}, id=self._id(number))
            try:
                replies: list[Any] = await pipeline.execute(raise_on_error=False)
            except REDIS_ERRORS:
                replies = [None]
            if all(isinstance(reply, bytes) or _exists(reply) for reply in replies):
                self.sent = numbers.stop
                return
            await asyncio.sleep(RETRY_SECONDS)


def _exists(reply: object) -> bool:
    return isinstance(reply, ResponseError) and _EXISTS in str(reply)
