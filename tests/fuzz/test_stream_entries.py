"""Whatever is written to the event stream: the worker goes on, and every entry is accounted for once."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import structlog
from tests.events import DEAD_LETTERS, EVENTS, RESULTS
from tests.fuzz.amount import SEED, generators
from tests.fuzz.entries import MAX_EVENT_BYTES, Case, Expected, an_entry
from tests.fuzz.json_values import strict
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.dead_letter import decode_fields
from eval_worker.models.offline import OfflineModel
from eval_worker.settings import Settings

ENTRIES = 50_000
AT_ONCE = 500
MOST_CPU_SECONDS_AT_A_TIME = 2.0


@pytest.fixture
def quiet() -> Iterator[None]:
    """Forty thousand dead letters are forty thousand warnings."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    yield
    structlog.configure(**before)


def send_all(redis_client: Any, cases: list[Case]) -> dict[str, Case]:
    sent: dict[str, Case] = {}
    for start in range(0, len(cases), AT_ONCE):
        some = cases[start : start + AT_ONCE]
        pipeline = redis_client.pipeline(transaction=False)
        for fields, _ in some:
            pipeline.execute_command("XADD", EVENTS, "*", *(part for pair in fields for part in pair))
        sent |= {source_id.decode(): case for source_id, case in zip(pipeline.execute(), some, strict=True)}
    return sent


@asynccontextmanager
async def never_standing_still(seconds: float) -> AsyncGenerator[None]:
    """Fail if anything kept the event loop busy for so long at a time, by the CPU's clock: the machine may be slow."""
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.01)
            longest = max(longest, time.thread_time() - before)

    watching = asyncio.create_task(watch())
    yield
    watching.cancel()
    assert longest < seconds, f"the loop stood still for {longest:.1f} s"


def test_every_entry_has_one_outcome_and_nothing_of_it_is_lost(settings: Settings, redis_client: Any, quiet: None):
    cases = [an_entry(rng) for _, rng in generators(ENTRIES)]
    sent = send_all(redis_client, cases)
    small = with_settings(settings, max_event_bytes=MAX_EVENT_BYTES, results_maxlen=0)

    async def scenario() -> None:
        async with working(small, OfflineModel()), never_standing_still(MOST_CPU_SECONDS_AT_A_TIME):
            await eventually(lambda: redis_client.xlen(EVENTS) == 0, within=300)

    asyncio.run(scenario())

    outcomes = Counter([*judged(redis_client, sent), *buried(redis_client, sent)])
    assert outcomes.keys() == sent.keys(), f"FUZZ_SEED={SEED}"
    assert set(outcomes.values()) == {1}, f"FUZZ_SEED={SEED}"


def judged(redis_client: Any, sent: dict[str, Case]) -> Iterator[str]:
    for fields in everything_in(redis_client, RESULTS):
        for value in fields.values():
            value.decode()  # people read them with redis-cli
        document = strict(fields[b"payload"])
        source_id = document["source_id"]
        raw, expected = sent[source_id]
        assert expected is not Expected.DEAD_LETTER, f"FUZZ_SEED={SEED}: {raw!r:.500} was judged"
        assert fields[b"verdict"].decode() == document["verdict"]
        assert document["id"].strip()
        assert 0 <= document["confidence"] <= 1
        yield source_id


def buried(redis_client: Any, sent: dict[str, Case]) -> Iterator[str]:
    for letter in everything_in(redis_client, DEAD_LETTERS):
        source_id = letter[b"source_id"].decode()
        raw, expected = sent[source_id]
        reason = letter[b"reason"].decode()
        assert expected is not Expected.RESULT, f"FUZZ_SEED={SEED}: {raw!r:.500} is a dead letter: {reason}"
        assert letter[b"error"] == b"malformed_event", f"FUZZ_SEED={SEED}: {raw!r:.500}: {reason}"
        assert reason.isprintable() or "\n" not in reason
        assert decode_fields(letter[b"fields"]) == list(raw)
        strict(letter[b"fields"])
        assert letter[b"payload"] == next((value for name, value in raw if name == b"payload"), b"")
        yield source_id


def everything_in(redis_client: Any, key: str) -> Iterator[dict[bytes, bytes]]:
    start = "-"
    while page := redis_client.xrange(key, min=start, count=1_000):
        yield from (fields for _, fields in page)
        start = f"({page[-1][0].decode()}"
