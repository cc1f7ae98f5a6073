"""The pace of reading: smaller replies where they do not arrive in time."""

import asyncio

import pytest
from redis.exceptions import TimeoutError as RedisTimeoutError

from eval_worker.stream.pace import ReadPace


class SlowLink:
    """Takes so many entries a reply, and no more."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.asked: list[int] = []

    async def read(self, count: int) -> int:
        self.asked.append(count)
        if count > self.capacity:
            raise RedisTimeoutError
        return count


def test_the_count_is_halved_until_a_reply_arrives_and_then_grows_by_one():
    pace, link = ReadPace(256), SlowLink(capacity=40)

    async def scenario() -> None:
        for _ in range(3):
            with pytest.raises(RedisTimeoutError):
                await pace.read(256, link.read)
        for _ in range(3):
            await pace.read(256, link.read)

    asyncio.run(scenario())
    assert link.asked == [256, 128, 64, 32, 33, 34]


def test_a_single_entry_is_always_asked_for():
    pace, link = ReadPace(2), SlowLink(capacity=0)

    async def scenario() -> None:
        for _ in range(4):
            with pytest.raises(RedisTimeoutError):
                await pace.read(256, link.read)

    asyncio.run(scenario())
    assert link.asked == [2, 1, 1, 1]


def test_it_never_reads_more_than_is_wanted_or_allowed():
    pace, link = ReadPace(10), SlowLink(capacity=1_000)

    async def scenario() -> None:
        await pace.read(3, link.read)
        await pace.read(500, link.read)

    asyncio.run(scenario())
    assert link.asked == [3, 10]
