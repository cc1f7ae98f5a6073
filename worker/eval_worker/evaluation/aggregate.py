"""Scores become a confidence, and a confidence a verdict."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import Any

from eval_worker.evaluation.judges.model import NOTHING_USED, FailureKind, ModelFailure, Usage
from eval_worker.evaluation.stage import Stage, StageStatus
from eval_worker.value_object import value_object

# 0.3 * 1 + 0.7 * (5 / 7) is 0.8 on paper and 0.8000000000000002 in floats; a verdict must follow the paper.
_DECIMALS = 12
_ERROR = StageStatus.ERROR  # in Python 3.11 each look-up of a member is a call


class Verdict(StrEnum):
    PASS = "pass"  # noqa: S105 (a verdict, not a password)
    REVIEW = "review"
    FAIL = "fail"
    SKIPPED = "skipped"  # left out by sampling: no judge was asked


@dataclass(frozen=True, slots=True)
class ScoringPolicy:
    """Weights add up to 1; a confidence above `pass_above` passes, above `review_above` is for review."""

    precheck_weight: float = 0.3
    judge_weight: float = 0.7
    pass_above: float = 0.8
    review_above: float = 0.5
    early_exit_below: float = 0.2


@value_object
class Evaluation:
    """What became of one event: every stage, and what they add up to. Without a verdict there is no confidence."""

    stages: tuple[Stage, ...]
    confidence: float | None
    verdict: Verdict
    early_exit: bool = False
    unjudged: bool = False  # judges failed, and none is scored
    usage: Usage = NOTHING_USED
    combined: bool = False  # the judges were asked together
    agentic: Mapping[str, Any] | None = None  # of whole conversations: their metrics as documented

    @property
    def failures(self) -> tuple[ModelFailure, ...]:
        return tuple(stage.failure for stage in self.stages if stage.failure is not None)

    @property
    def partial(self) -> bool:
        """Whether a judge that applies is unscored."""
        return _any_failed(self.stages)

    def failure_of(self, kind: FailureKind) -> ModelFailure | None:
        """Return the first failure of that kind, if any."""
        for stage in self.stages:
            if stage.failure is not None and stage.failure.kind is kind:
                return stage.failure
        return None


def early_exit(prechecks: tuple[Stage, ...], policy: ScoringPolicy) -> Evaluation | None:
    """Return a `fail` if the mean of the applicable prechecks is too low to be worth a judge, else None."""
    mean = mean_score(prechecks)
    if mean is None or mean >= policy.early_exit_below:
        return None
    return Evaluation(prechecks, _tidy(mean * policy.precheck_weight), Verdict.FAIL, early_exit=True)


def skipped(prechecks: tuple[Stage, ...]) -> Evaluation:
    """Return what is said of an event that sampling left out: the prechecks alone, and no opinion."""
    return Evaluation(prechecks, None, Verdict.SKIPPED)


def aggregate(
    prechecks: tuple[Stage, ...],
    judges: tuple[Stage, ...],
    usage: Usage,
    policy: ScoringPolicy,
    *,
    combined: bool = False,
) -> Evaluation:
    """Weigh both stages: confidence = mean(prechecks) x precheck weight + mean(judges) x judge weight.

    Means run over the scored stages. Where no judge is scored the prechecks stand alone, unweighted. Heuristics alone,
    or a panel with an unscored judge, never make a `pass`.
    """
    judge_mean = mean_score(judges)
    confidence = _confidence(mean_score(prechecks), judge_mean, policy)
    failed = _any_failed(judges)
    may_pass = judge_mean is not None and not failed
    return Evaluation(
        prechecks + judges,
        confidence,
        verdict_for(confidence, policy, may_pass=may_pass),
        unjudged=failed and judge_mean is None,
        usage=usage,
        combined=combined,
    )


def decided(prechecks: tuple[Stage, ...], asked: Sequence[Stage], left: int, policy: ScoringPolicy) -> Verdict | None:
    """Return the verdict where `left` more judges could not change it, whatever they would score; else None.

    Say n judges have scored, s in all, and k are left. If m of these score x in all (0 <= x <= m <= k; the others do
    not apply) the mean of the judges is (s + x) / (n + m). That is at least s / (n + k), all k giving 0, and by the
    same argument on what is missing to 1 at most (s + k) / (n + k), all k giving 1. The confidence rises with the mean
    and the verdict with the confidence, so where both ends give one verdict, all that lies between does: also m = 0,
    the mean over those asked, which becomes the result's confidence.

    A judge that has failed forbids a `pass` at both ends. One that would fail among those left could only turn a `pass`
    into a `review`, for want of a score that would not have mattered.
    """
    scores = [stage.score for stage in asked if stage.score is not None]
    if not scores:  # should the others fail or not apply, the prechecks alone would decide, or nothing at all
        return None
    precheck_mean, may_pass = mean_score(prechecks), not _any_failed(asked)
    ends = (_mean([*scores, *[worst_or_best] * left]) for worst_or_best in (0.0, 1.0))
    verdicts = {verdict_for(_confidence(precheck_mean, end, policy), policy, may_pass=may_pass) for end in ends}
    return verdicts.pop() if len(verdicts) == 1 else None


def verdict_for(confidence: float, policy: ScoringPolicy, *, may_pass: bool = True) -> Verdict:
    if confidence > policy.pass_above and may_pass:
        return Verdict.PASS
    return Verdict.REVIEW if confidence > policy.review_above else Verdict.FAIL


def mean_score(stages: Iterable[Stage]) -> float | None:
    """Return the mean over the scored stages, None if there is none."""
    scores = [stage.score for stage in stages if stage.score is not None]
    return _mean(scores) if scores else None


def _mean(scores: Sequence[float]) -> float:
    return fsum(scores) / len(scores)  # whatever the order, and the more the higher: plain sums are neither


def _confidence(precheck_mean: float | None, judge_mean: float | None, policy: ScoringPolicy) -> float:
    if precheck_mean is None or judge_mean is None:
        return _tidy((judge_mean if precheck_mean is None else precheck_mean) or 0.0)
    return _tidy(precheck_mean * policy.precheck_weight + judge_mean * policy.judge_weight)


def _any_failed(judges: Iterable[Stage]) -> bool:
    return _ERROR in [stage.status for stage in judges]


def _tidy(confidence: float) -> float:
    return round(min(max(confidence, 0.0), 1.0), _DECIMALS)
