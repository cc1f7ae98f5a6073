"""dramatiq over Redis lists: an actor an event, acknowledged when it has run."""

# dramatiq is installed where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from redis import Redis

from benchmarks.peers.handling import REDIS_URL, judge, payloads
from benchmarks.stream_names import RESULTS

dramatiq.set_broker(RedisBroker(url=REDIS_URL))
client = Redis.from_url(REDIS_URL)


@dramatiq.actor
def judge_event(payload: str) -> None:
    client.xadd(RESULTS, judge(payload))


def send(count: int) -> None:
    for payload in payloads(count):
        judge_event.send(payload)
