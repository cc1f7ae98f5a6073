"""Answers that are no answers exit, whatever their length; what only looks like one is left to the judges."""

import itertools

import pytest
from tests.evaluation.prechecks.good_answers import GOOD
from tests.evaluation.prechecks.rubbish_answers import RUBBISH

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks import run_prechecks
from eval_worker.evaluation.stage import Stage

EARLY_EXIT = 0.2


def stages_of(query: str, answer: str, context: str = "") -> tuple[Stage, ...]:
    ticks = itertools.count()
    return run_prechecks(Interaction(query, answer, context), lambda: next(ticks))


def exits(query: str, answer: str, context: str = "") -> bool:
    scores = [stage.score for stage in stages_of(query, answer, context) if stage.score is not None]
    return sum(scores) / len(scores) < EARLY_EXIT


@pytest.mark.parametrize(("query", "answer"), RUBBISH)
def test_rubbish_exits(query: str, answer: str):
    assert exits(query, answer)


@pytest.mark.parametrize(("query", "answer"), GOOD)
def test_an_answer_that_may_be_good_is_judged(query: str, answer: str):
    assert not exits(query, answer)


def test_each_check_gives_its_own_reason_for_rubbish():
    reasons = [
        stage.reason
        for stage in stages_of("What is the capital of France?", "You asked: what is the capital of France?")
    ]
    assert len(set(reasons)) == 3
