"""streaQ over Redis streams: a task an event, 64 at once, in batches of its own pipelines."""

# streaQ is installed where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

from redis.asyncio import Redis
from streaq import Worker

from benchmarks.peers.handling import REDIS_URL, batches, judge, payloads
from benchmarks.stream_names import RESULTS

worker = Worker(redis_url=REDIS_URL, concurrency=64)
client = Redis.from_url(REDIS_URL)


@worker.task(ttl=0)
async def judge_event(payload: str) -> None:
    await client.xadd(RESULTS, judge(payload))


async def send(count: int) -> None:
    async with worker:
        for batch in batches(payloads(count)):
            await worker.enqueue_many([judge_event.enqueue(payload) for payload in batch])
