"""What counts for a judge, and what is counted apart."""

import numpy as np
import pytest

from eval_worker.evaluation.stage import StageStatus
from eval_worker.event import InteractionPayload
from eval_worker.quality.conduct import at_rank, conduct
from eval_worker.quality.data_sets import DataSet, LabelledPair
from eval_worker.quality.judge_quality import JudgeQuality, judge_quality
from eval_worker.quality.judged import JudgedRecord
from eval_worker.quality.labelled import LabelledRecord, PairSide
from eval_worker.result import UsageResult

JUDGE = "relevance"
INTERACTION = InteractionPayload(user_query="q", answer="a")

CALLS = UsageResult(llm_calls=5, input_tokens=100, output_tokens=10, cost_usd=0.25)


def record(number: int, human: float | None, *, preferred: bool | None = None) -> LabelledRecord:
    sides = () if preferred is None else (PairSide(id="p", preferred=preferred, judge=JUDGE),)
    scores = {} if human is None else {JUDGE: human}
    return LabelledRecord(number, f"e-{number}", INTERACTION, f"g-{number}", scores, sides)


def judged(score: float | None, confidence: float = 0.5, *, status: str = "ok", early_exit: bool = False):
    scores = {"overall": confidence} | ({} if score is None else {JUDGE: score})
    statuses = {} if early_exit else {JUDGE: StageStatus(status)}
    return JudgedRecord(
        scores,
        statuses,
        early_exit,
        2.0,
        UsageResult(llm_calls=5, input_tokens=100, output_tokens=10, cost_usd=0.25),
        "m",
        "sha256:0",
    )


def quality(records: list[LabelledRecord], found: dict[int, JudgedRecord], pairs: list[LabelledPair]) -> JudgeQuality:
    data_set = DataSet("set", None, records, {JUDGE: pairs} if pairs else {}, 0, 0)  # type: ignore[arg-type]
    return judge_quality(JUDGE, data_set, found, {"constant": np.zeros(len(records))}, seed=0)


def test_failed_and_not_applicable_judges_are_counted_apart_and_measured_as_nothing():
    records = [record(number, 1.0 if number % 2 else 0.0) for number in range(6)]
    found = {0: judged(0.1), 1: judged(0.9), 2: judged(None, status="error"), 3: judged(None, status="not_applicable")}
    found[4] = judged(None, confidence=0.02, early_exit=True)

    measured = quality(records, found, [])

    counts = measured.records
    assert counts is not None
    assert (counts.labelled, counts.measured, counts.exited_early) == (6, 3, 1)
    assert (counts.unscored, counts.not_applicable, counts.without_verdict) == (1, 1, 1)
    assert measured.measures[0].n == 3
    assert measured.measures[0].value == pytest.approx(0.8165, abs=1e-4)  # .1 and .02 are tied in human scores
    assert measured.calibration is not None
    assert measured.calibration.mean_absolute_error == pytest.approx((0.1 + 0.1 + 0.02) / 3)
    assert measured.calibration.bias == pytest.approx((0.1 - 0.1 + 0.02) / 3)
    assert measured.calibration.constant_error == pytest.approx(1 / 3)  # the median is 0


def test_a_pair_counts_if_both_answers_have_a_score_and_an_early_exit_is_under_every_score():
    records = [record(number, None, preferred=number % 2 == 0) for number in range(6)]
    pairs = [LabelledPair(0, 1), LabelledPair(2, 3), LabelledPair(4, 5)]
    found = {0: judged(0.4), 1: judged(None, 0.05, early_exit=True), 2: judged(0.7), 3: judged(0.7), 4: judged(0.9)}
    found[5] = judged(None, status="error")

    measured = quality(records, found, pairs)

    assert measured.records is None
    assert measured.pairs is not None
    assert (measured.pairs.labelled, measured.pairs.measured, measured.pairs.unscored) == (3, 2, 1)
    assert (measured.pairs.exited_early, measured.pairs.ties) == (1, 1)
    assert measured.measures[0].value == 0.75


def test_exits_are_shared_out_over_good_and_bad_answers():
    records = [record(1, 0.7), record(2, 0.69), record(3, None, preferred=True), record(4, None, preferred=False)]
    found = {number: judged(0.5, early_exit=number in {3, 4}) for number in (1, 2, 3, 4)}

    behaviour = conduct(records, found)

    assert (behaviour.good.answers, behaviour.good.event_ids, behaviour.good.share) == (2, ("e-3",), 0.5)
    assert (behaviour.bad.answers, behaviour.bad.event_ids) == (2, ("e-4",))
    assert behaviour.usage == UsageResult(llm_calls=20, input_tokens=400, output_tokens=40, cost_usd=1.0)
    assert (behaviour.p50_ms, conduct(records, {}).p50_ms) == (2.0, None)


def test_percentiles_are_by_nearest_rank():
    assert [at_rank(list(range(1, 101)), percent) for percent in (50, 95)] == [50, 95]
    assert at_rank([3.0], 95) == 3.0
