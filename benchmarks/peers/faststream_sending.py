"""Events sent by FastStream's own publisher, so that it finds them as it likes them."""

# FastStream is installed where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

import json

from faststream.redis import RedisBroker

from benchmarks.peers.handling import batches, payloads
from benchmarks.stream_names import EVENTS


async def send_by(broker: RedisBroker, count: int) -> None:
    await broker.connect()
    client = broker._connection  # noqa: SLF001 (it has no public way to a pipeline outside of a handler)
    for batch in batches(payloads(count)):
        pipe = client.pipeline(transaction=False)
        for payload in batch:
            await broker.publish(json.loads(payload), stream=EVENTS, pipeline=pipe)
        await pipe.execute()
    await broker.stop()
