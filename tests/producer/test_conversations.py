"""Events about whole conversations, sent by the producer to a worker."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.command_line import Finished, run, run_on_terminal
from tests.events import EVENTS, GOOD_ANSWER, conversations, dead_letters
from tests.stream.working import working

from eval_worker.models.offline import OfflineModel
from eval_worker.settings import Settings

WRONG = "The capital of France is Lyon."
GOOD = conversations("cnv-1", GOOD_ANSWER, GOOD_ANSWER, WRONG)
NO_QUERY = "datasets.0.conversation.0.query: is required"


def bad() -> dict[str, Any]:
    document = conversations("bad")
    del document["datasets"][0]["conversation"][0]["query"]
    return document


def produce(settings: Settings, *arguments: str, on_terminal: bool = False) -> Finished:
    """Run the producer while a worker is there, whose log may stand on stdout as well."""

    def start() -> Finished:
        if on_terminal:
            return run_on_terminal("eval_producer", *arguments, settings=settings)
        return run("eval_producer", *arguments, settings=settings)

    async def scenario() -> Finished:
        async with working(settings, OfflineModel()):
            return await asyncio.to_thread(start)

    return asyncio.run(scenario())


def test_waiting_prints_the_result_with_its_figures(settings: Settings):
    done = produce(settings, "--wait", "-d", json.dumps(GOOD))

    (result,) = [json.loads(line) for line in done.lines if line.startswith("{")]
    assert (done.code, result["id"], result["verdict"]) == (0, "cnv-1", "review")
    assert round(result["agentic"]["aggregated_metrics"]["pass_pow_k"], 4) == 0.2963


def test_a_person_sees_the_figures_and_every_interaction(settings: Settings):
    seen = " ".join(produce(settings, "--wait", "-d", json.dumps(GOOD), on_terminal=True).out.split())

    assert "2 of 3 conversations correct, pass@3 0.96, pass^3 0.30" in seen
    assert "correctness-judge 0.05 s3, q1: " in seen


def test_a_wrong_one_is_not_sent_and_the_field_is_named(settings: Settings, redis_client: Any):
    refused = run("eval_producer", "-d", json.dumps(bad()), settings=settings)

    assert refused.code == 2
    assert refused.err.startswith(f"eval-producer: -d {NO_QUERY} (--no-validate")
    assert redis_client.xlen(EVENTS) == 0


def test_of_a_file_the_good_are_sent_and_the_bad_named(settings: Settings, redis_client: Any, tmp_path: Path):
    file = tmp_path / "events.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n{json.dumps(bad())}\n", encoding="utf-8")

    done = run("eval_producer", "-f", str(file), settings=settings)

    assert (done.code, redis_client.xlen(EVENTS)) == (1, 1)
    assert f"line 2: {NO_QUERY}" in done.err


def test_sent_all_the_same_it_becomes_a_dead_letter_with_the_fields_name(settings: Settings, redis_client: Any):
    done = produce(settings, "--wait", "--no-validate", "-d", json.dumps(bad()))

    (letter,) = dead_letters(redis_client)
    assert (done.code, letter["reason"].decode()) == (1, NO_QUERY)
    assert f"became a dead letter: {NO_QUERY}" in done.err
