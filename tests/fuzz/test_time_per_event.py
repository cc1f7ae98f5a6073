"""No text takes more than its share of time: four times the length, no more than about four times as long."""

import asyncio
import random
import time
from collections.abc import Callable

import pytest
from tests.fuzz.amount import SEED, amount
from tests.fuzz.texts import UNITS, mixture, repeated

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.pipeline import Pipeline
from eval_worker.models.offline import OfflineModel
from eval_worker.settings import Settings, load_settings
from eval_worker.wiring.judging import build_pipeline, read_judges

SHORT, LONG = 4_000, 16_000
MOST_TIMES_AS_LONG = 9  # fourfold growth is linear, sixteenfold quadratic
NEGLIGIBLE_SECONDS = 0.25
MEASUREMENTS = 4  # what is slow by its nature is slow each time; a collection of garbage is paid by one
MIXTURES = 25


@pytest.fixture
def pipeline(clean_environment: None) -> Pipeline:
    settings: Settings = load_settings(judge_model="offline", judge_timeout_seconds=3_600)
    return build_pipeline(settings, read_judges(settings), OfflineModel())


def seconds_for(pipeline: Pipeline, text: str) -> float:
    """For it as query, answer and context at once; by the CPU's clock, since the machine may be busy."""
    started = time.process_time()
    asyncio.run(pipeline.evaluate(Interaction(text, text, text)))
    return time.process_time() - started


def grows_too_fast(pipeline: Pipeline, make: Callable[[int], str]) -> str | None:
    """What was measured, if every measurement says so."""
    slow = None
    for _ in range(MEASUREMENTS):
        long = seconds_for(pipeline, make(LONG))
        if long < NEGLIGIBLE_SECONDS:
            return None
        short = seconds_for(pipeline, make(SHORT))
        if long < MOST_TIMES_AS_LONG * short:
            return None
        slow = f"{short:.3f} s became {long:.3f} s"
    return slow


def test_the_time_that_a_text_takes_grows_with_its_length_alone(pipeline: Pipeline):
    found = {
        unit: slow
        for unit in UNITS
        if (slow := grows_too_fast(pipeline, lambda length, unit=unit: repeated(unit, length)))
    }

    assert found == {}


def test_no_mixture_of_them_is_worse(pipeline: Pipeline):
    for number in range(amount(MIXTURES)):
        seed = f"{SEED}/{number}"
        slow = grows_too_fast(pipeline, lambda length, seed=seed: mixture(random.Random(seed), length))
        assert slow is None, f"FUZZ_SEED={SEED} mixture {number}: {slow}"
