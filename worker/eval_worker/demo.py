"""The demo: sample events through a real server and a real worker, and what became of each."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal

from pydantic import SecretStr
from redis.asyncio import Redis

from eval_worker.errors import EvalWorkerError
from eval_worker.redis_connection import connect
from eval_worker.result import Result
from eval_worker.settings import Settings
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import read_judges
from eval_worker.wiring.worker import RunningParts, build_worker

SECONDS_TO_WAIT = 60.0
POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class DemoOutcome:
    """One sample event and its end: a result, or the reason of its dead letter."""

    payload: str
    source_id: str
    outcome: Result | str

    @property
    def verdict(self) -> Literal["pass", "review", "fail", "skipped", "dead letter"]:
        return "dead letter" if isinstance(self.outcome, str) else self.outcome.verdict

    def as_json(self) -> str:
        if isinstance(self.outcome, str):
            return json.dumps({"source_id": self.source_id, "dead_letter": self.outcome}, ensure_ascii=False)
        return self.outcome.model_dump_json(by_alias=True)


def sample_events() -> list[str]:
    """Return the payloads, one of which is no event."""
    text = resources.files("eval_worker").joinpath("demo_events.jsonl").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]


async def run_demo(settings: Settings, redis_url: str) -> list[DemoOutcome]:
    """Send the sample events to the server at `redis_url`, judge them there, and return their ends in order.

    Raises:
        EvalWorkerError: not all were judged within a minute.
    """
    private = _on_a_private_server(settings, redis_url)
    judges = read_judges(private)
    model = build_judge_model(private, judges)
    parts = build_worker(private, judges, model)
    await parts.ensure_groups()
    running = asyncio.create_task(parts.worker.run())
    payloads = sample_events()
    try:
        async with connect(private) as client:
            source_ids = [await _send(client, private.redis_stream_name, payload) for payload in payloads]
            await _until_settled(client, parts)
            outcomes = await _outcomes(client, private)
    finally:
        parts.worker.stop()
        await running
        model.close()
        await parts.close()
    return _in_order(payloads, source_ids, outcomes)


def _on_a_private_server(settings: Settings, redis_url: str) -> Settings:
    """Keep what says how to judge; where Redis is, and what is kept there, is the demo's own business."""
    fields = Settings.model_fields.items()
    plain = {
        name: field.default
        for name, field in fields
        if name.startswith("redis_") or name in {"keep_events", "stream_partitions"}
    }
    return settings.model_copy(update={**plain, "redis_url": SecretStr(redis_url)})


async def _send(client: Redis, stream: str, payload: str) -> str:
    source_id: Any = await client.xadd(stream, {"payload": payload})
    return source_id.decode()


async def _until_settled(client: Redis, parts: RunningParts) -> None:
    """Settling deletes an entry, so an empty stream says that all is done."""
    try:
        async with asyncio.timeout(SECONDS_TO_WAIT):
            while await client.xlen(parts.names.events):  # noqa: ASYNC110 (Redis tells nobody)
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        problem = parts.health.not_ready() or "the judge model is slow"
        raise EvalWorkerError(f"the sample events were not judged within {SECONDS_TO_WAIT:.0f} s: {problem}") from None


async def _outcomes(client: Redis, settings: Settings) -> dict[str, Result | str]:
    found: dict[str, Result | str] = {}
    stored: Any = await client.xrange(settings.redis_result_stream)
    for _, fields in stored:
        result = Result.model_validate_json(fields[b"payload"])
        found[str(result.source_id)] = result
    stored = await client.xrange(settings.redis_dead_letter_stream)
    for _, fields in stored:
        found[fields[b"source_id"].decode()] = fields[b"reason"].decode()
    return found


def _in_order(
    payloads: Sequence[str], source_ids: Sequence[str], outcomes: dict[str, Result | str]
) -> list[DemoOutcome]:
    return [
        DemoOutcome(payload, source_id, outcomes[source_id])
        for payload, source_id in zip(payloads, source_ids, strict=True)
        if source_id in outcomes
    ]
