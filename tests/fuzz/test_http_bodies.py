"""Whatever comes over HTTP where Bedrock should be: each event gets its outcome, and nobody waits for ever."""

import asyncio
import random
from collections import Counter
from typing import Any

import pytest
from tests.events import dead_letters, event, results, send
from tests.fuzz.amount import generators
from tests.fuzz.converse_responses import a_body
from tests.models.bedrock.calls import MODEL_ID, request
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.evaluation.judges.model import BadReply, CannotJudge, FailureKind, Judgement, ModelFailure
from eval_worker.evaluation.judges.parse import read_answer
from eval_worker.models.bedrock.model import BedrockModel
from eval_worker.settings import Settings
from eval_worker.testing import FakeBedrock, Garbage, text

BODIES = 400
EVENTS = 80
STATUSES = (200, 200, 200, 201, 204, 400, 401, 403, 404, 413, 418, 429, 500, 503, 599)


@pytest.fixture
def model(bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch) -> BedrockModel:
    for name, value in bedrock.environment().items():
        monkeypatch.setenv(name, value)
    return BedrockModel(model_id=MODEL_ID, region="us-east-1", endpoint_url=bedrock.url, timeout_seconds=10)


def test_every_body_is_a_judgement_an_unusable_reply_or_a_failure(model: BedrockModel, bedrock: FakeBedrock):
    async def ask_all() -> Counter[str]:
        seen: Counter[str] = Counter()
        for name, rng in generators(BODIES):
            garbage = Garbage(a_body(rng), rng.choice(STATUSES))
            bedrock.script(garbage, times=1)
            try:
                seen[kind_of(await model.ask(request()))] += 1
            except Exception as error:
                error.add_note(f"{name}: {garbage!r:.2000}")
                raise
        return seen

    seen = asyncio.run(ask_all())
    model.close()

    assert {"judgement", "unusable", "transient", "permanent", "outage"} == seen.keys()


def kind_of(answer: Any) -> str:
    match read_answer(answer):
        case Judgement(score, _):
            assert 0 <= score <= 1
            return "judgement"
        case BadReply():
            return "unusable"
        case ModelFailure(kind, code, message):
            assert kind in FailureKind
            assert code
            assert "\n" not in message
            return kind.value
        case CannotJudge():
            raise AssertionError("only the offline model says so")


def test_a_worker_whose_every_event_meets_garbage_once_judges_them_all(
    settings: Settings, redis_client: Any, model: BedrockModel, bedrock: FakeBedrock
):
    names = [f"evt-{number}." for number in range(EVENTS)]
    for name, (_, rng) in zip(names, generators(EVENTS), strict=False):
        bedrock.script(Garbage(unlike_an_answer(rng), rng.choice((200, 500, 503))), when=text(name), times=1)
        send(redis_client, event(name, answer=f"The capital of France is Paris, as {name} says."))

    async def scenario() -> None:
        async with working(with_settings(settings, concurrency=16), model):
            await eventually(lambda: len(results(redis_client)) + len(dead_letters(redis_client)) >= EVENTS)

    asyncio.run(scenario())

    assert dead_letters(redis_client) == []
    assert Counter(result["id"] for result in results(redis_client)) == Counter(names)


def unlike_an_answer(rng: random.Random) -> str:
    """What no judge could take for an opinion: that is asked for again."""
    return a_body(rng)[:-1].replace("level", "lever")
