"""Celery over Redis lists: a task an event, acknowledged when it has run."""

# Celery is installed where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

from celery import Celery
from redis import Redis

from benchmarks.peers.handling import REDIS_URL, judge, payloads
from benchmarks.stream_names import RESULTS

app = Celery("peer", broker=REDIS_URL)
app.conf.update(task_acks_late=True, task_ignore_result=True, worker_prefetch_multiplier=64)
client = Redis.from_url(REDIS_URL)


@app.task
def judge_event(payload: str) -> None:
    client.xadd(RESULTS, judge(payload))


def send(count: int) -> None:
    with app.connection_for_write() as connection, app.amqp.Producer(connection) as producer:
        for payload in payloads(count):
            judge_event.apply_async((payload,), producer=producer)
