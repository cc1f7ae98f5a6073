"""FastStream, batches of 256 messages a call: results are published in one pipeline, then all are acknowledged."""

# FastStream is installed where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

from typing import Any

from faststream import FastStream
from faststream.redis import RedisBroker, StreamSub
from faststream.redis.annotations import Pipeline

from benchmarks.peers.faststream_sending import send_by
from benchmarks.peers.handling import REDIS_URL, judge_document
from benchmarks.stream_names import EVENTS, GROUP, RESULTS

broker = RedisBroker(REDIS_URL)
app = FastStream(broker)


@broker.subscriber(stream=StreamSub(EVENTS, group=GROUP, consumer="peer", batch=True, max_records=256))
async def judge_many(events: list[dict[str, Any]], pipe: Pipeline) -> None:
    for event in events:
        await broker.publish(judge_document(event), stream=RESULTS, pipeline=pipe)
    await pipe.execute()


async def send(count: int) -> None:
    await send_by(broker, count)
