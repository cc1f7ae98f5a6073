"""FastStream, one message a call: a subscriber with a consumer group, a publisher, acknowledged when it returns."""

# FastStream is installed where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

from typing import Any

from faststream import FastStream
from faststream.redis import RedisBroker, StreamSub

from benchmarks.peers.faststream_sending import send_by
from benchmarks.peers.handling import REDIS_URL, judge_document
from benchmarks.stream_names import EVENTS, GROUP, RESULTS

broker = RedisBroker(REDIS_URL)
app = FastStream(broker)


@broker.subscriber(stream=StreamSub(EVENTS, group=GROUP, consumer="peer"))
@broker.publisher(stream=RESULTS)
async def judge_one(event: dict[str, Any]) -> dict[str, str]:
    return judge_document(event)


async def send(count: int) -> None:
    await send_by(broker, count)
