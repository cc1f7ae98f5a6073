"""A node that takes what it is sent and says nothing: what it keeps for us is done without."""

import asyncio
import socket
import time

from eval_worker.provider_limits.pace import Quotas
from eval_worker.provider_limits.redis_paces import RedisPaces
from eval_worker.redis_connection import connect
from eval_worker.redis_refusal import any_failure
from eval_worker.settings import load_settings
from eval_worker.short_patience import ANSWER_SECONDS, ShortPatience
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.telemetry.metrics import Metrics
from eval_worker.wiring.streams import stream_names


def test_a_silent_node_costs_one_short_wait_and_then_none(clean_environment: None):
    async def scenario(port: int) -> list[float]:
        settings, seconds = load_settings(redis_addr=f"127.0.0.1:{port}"), list[float]()
        async with connect(settings) as client:
            patience = RedisPatience(ConsumerGroup(client, stream_names(settings)[0], Metrics()))
            short = ShortPatience(time.monotonic)
            paces = RedisPaces(
                client, "eval-pace", Quotas(60_000), patience, time.monotonic, gives_up_on=any_failure, short=short
            )
            for _ in range(3):
                started = time.monotonic()
                assert await paces.take("a-model", [1.0], 0.0)
                seconds.append(time.monotonic() - started)
        return seconds

    with socket.create_server(("127.0.0.1", 0)) as silent:
        first, *later = asyncio.run(scenario(silent.getsockname()[1]))

    assert ANSWER_SECONDS <= first < ANSWER_SECONDS + 2
    assert max(later) < ANSWER_SECONDS / 2
