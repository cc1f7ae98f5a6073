"""What Bedrock is asked to cache of a prompt, and what that saves."""

import asyncio
import time
from typing import Any

import pytest
from tests.models.bedrock.calls import MODEL_ID, OpenModel, ask, judged, request

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.combined import CombinedJudges
from eval_worker.evaluation.judges.model import Judgement, Usage
from eval_worker.models.prices import PriceList, load_prices
from eval_worker.settings import load_settings
from eval_worker.testing import FakeBedrock, RefusePromptCaching, RefuseTemperature, ServerError, tokens
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import read_judges

FLOOR = 50  # which the small prompts of these tests reach


def caching(open_model: OpenModel, **options: Any) -> Any:
    return open_model(cache_floor=lambda _model_id: FLOOR, **options)


def cache_points(bedrock: FakeBedrock) -> list[bool]:
    return [call.has_cache_point for call in bedrock.requests()]


@pytest.fixture
def bedrock() -> Any:
    with FakeBedrock(prompt_cache_floor=FLOOR) as fake:
        yield fake


def usage_of(model: Any) -> Usage:
    answer = ask(model)
    assert isinstance(judged(answer), Judgement)
    return answer.usage


@pytest.mark.parametrize("mode", ["tool", "native", "text"])
def test_the_second_call_reads_what_the_first_wrote(mode: str, bedrock: FakeBedrock, open_model: OpenModel):
    model = caching(open_model, output=mode)
    first, second = usage_of(model), usage_of(model)

    size = tokens(bedrock.requests()[0].system)
    assert (first.cache_write_input_tokens, first.cache_read_input_tokens) == (size, 0)
    assert (second.cache_write_input_tokens, second.cache_read_input_tokens) == (0, size)
    assert first.input_tokens == second.input_tokens > size


def test_the_cache_point_stands_behind_the_system_prompt(bedrock: FakeBedrock, open_model: OpenModel):
    usage_of(caching(open_model, output="text"))
    blocks = bedrock.requests()[0].body["system"]
    assert [next(iter(block)) for block in blocks] == ["text", "text", "cachePoint"]


def test_nothing_is_cached_unless_the_model_is_known_to(bedrock: FakeBedrock, open_model: OpenModel):
    usage_of(open_model())
    assert cache_points(bedrock) == [False]


def test_calls_that_go_out_together_wait_for_the_first(bedrock: FakeBedrock, open_model: OpenModel):
    model = caching(open_model, max_calls_in_flight=8)
    bedrock.latency(0.05)

    async def at_once() -> list[Any]:
        return await asyncio.gather(*(model.ask(request()) for _ in range(8)))

    written = [answer.usage.cache_write_input_tokens for answer in asyncio.run(at_once())]
    assert sum(count > 0 for count in written) == 1


@pytest.mark.parametrize("both", [False, True])
def test_a_model_that_takes_no_cache_point_is_asked_without_one(
    both: bool, bedrock: FakeBedrock, open_model: OpenModel
):
    bedrock.script(RefusePromptCaching())
    if both:
        bedrock.script(RefuseTemperature())
    model = caching(open_model)

    assert isinstance(judged(ask(model, request(temperature=0.5))), Judgement)
    assert isinstance(judged(ask(model, request(temperature=0.5))), Judgement)
    assert cache_points(bedrock).count(True) == 1 + both
    assert bedrock.counters().calls == 3 + both


def test_another_failure_of_a_call_with_a_cache_point_takes_nothing_away(bedrock: FakeBedrock, open_model: OpenModel):
    bedrock.script(ServerError(), times=1)
    model = caching(open_model)
    ask(model)
    usage_of(model)
    assert cache_points(bedrock) == [True, True]


def opened_as_set(bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch, **settings: str) -> Any:
    for name, value in bedrock.environment().items():
        monkeypatch.setenv(name, value)
    loaded = load_settings(**settings)
    return build_judge_model(loaded, read_judges(loaded))


SONNET, HAIKU = "us.anthropic.claude-sonnet-4-5-20250929-v1:0", MODEL_ID
SKY = Interaction("Why is the sky blue?", "Because of Rayleigh scattering.", "Air scatters blue light most.")


@pytest.mark.parametrize(
    ("model_id", "combined", "cached"),
    [(SONNET, False, True), (HAIKU, False, False), (HAIKU, True, True), ("amazon.nova-pro-v1:0", True, False)],
)
def test_the_built_in_prompts_are_cached_where_they_reach_the_models_floor(
    model_id: str, combined: bool, cached: bool, bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch
):
    model = opened_as_set(bedrock, monkeypatch, claude_model_id=model_id)
    judges = read_judges(load_settings()).judges
    asked = CombinedJudges(model, Patience(), time.perf_counter_ns)
    asyncio.run(asked.judge(SKY, judges if combined else judges[:1]))
    model.close()
    assert cache_points(bedrock) == [cached]


def test_it_can_be_switched_off(bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch):
    model = opened_as_set(bedrock, monkeypatch, claude_model_id=SONNET, prompt_cache="off")
    ask(model)
    model.close()
    assert cache_points(bedrock) == [False]


def test_it_makes_a_call_cheaper():
    prices = PriceList(load_prices())
    plain, read = Usage(1, 3_000, 100), Usage(1, 3_000, 100, cache_read_input_tokens=2_500)
    assert (prices.cost_usd(HAIKU, read) or 0) < 0.5 * (prices.cost_usd(HAIKU, plain) or 0)
