"""arq: a job an event. It polls, so its two waits are set to what serves it best: many jobs at once, short pauses."""

# arq is installed where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

import asyncio
from typing import Any

from arq import create_pool
from arq.connections import RedisSettings

from benchmarks.peers.handling import REDIS_URL, batches, judge, payloads
from benchmarks.stream_names import RESULTS

_REDIS = RedisSettings.from_dsn(REDIS_URL)


async def judge_event(context: dict[str, Any], payload: str) -> None:
    await context["redis"].xadd(RESULTS, judge(payload))


class WorkerSettings:
    functions = (judge_event,)
    redis_settings = _REDIS
    max_jobs = 256
    poll_delay = 0.01
    keep_result = 0


async def send(count: int) -> None:
    pool = await create_pool(_REDIS)
    for batch in batches(payloads(count), 100):
        await asyncio.gather(*(pool.enqueue_job("judge_event", payload) for payload in batch))
    await pool.aclose()
