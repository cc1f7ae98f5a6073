"""taskiq over Redis streams: a task an event, acknowledged when it has run."""

# taskiq is installed where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

import asyncio

from redis.asyncio import Redis
from taskiq_redis import RedisStreamBroker

from benchmarks.peers.handling import REDIS_URL, batches, judge, payloads
from benchmarks.stream_names import RESULTS

broker = RedisStreamBroker(REDIS_URL)
client = Redis.from_url(REDIS_URL)


@broker.task
async def judge_event(payload: str) -> None:
    await client.xadd(RESULTS, judge(payload))


async def send(count: int) -> None:
    await broker.startup()
    for batch in batches(payloads(count), 50):
        await asyncio.gather(*(judge_event.kiq(payload) for payload in batch))
    await broker.shutdown()
    await client.aclose()
