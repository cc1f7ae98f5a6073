"""The stage that says most about a verdict, for whoever shows a result in short."""

from collections.abc import Iterator, Sequence

from eval_worker.evaluation.aggregate import ScoringPolicy
from eval_worker.evaluation.judges.definition import STAGE_SUFFIX
from eval_worker.result import Result
from eval_worker.value_object import value_object

_USUAL = ScoringPolicy()  # a result does not hold the weights that it was made with
_DECIMALS = 12  # two that took the same on paper may differ in floats


@value_object
class Weakest:
    """`score` is 0..1."""

    name: str
    score: float
    reason: str

    def __str__(self) -> str:
        return f"{self.name} {self.score:.2f}: {self.reason}"


def weakest_stage(result: Result) -> Weakest | None:
    """Return the stage that took most from the confidence, of several the first; None if none is scored.

    A stage takes what it lacks of 1, by its share: the prechecks that are scored divide 0.3 of the confidence, the
    judges 0.7, and where only one kind is scored it has the whole.
    """
    scored = [Weakest(stage.name, stage.score, stage.reason) for stage in result.stages if stage.score is not None]
    judges = [stage for stage in scored if stage.name.endswith(STAGE_SUFFIX)]
    prechecks = [stage for stage in scored if not stage.name.endswith(STAGE_SUFFIX)]
    taken = [*_taken(prechecks, _USUAL.precheck_weight, judges), *_taken(judges, _USUAL.judge_weight, prechecks)]
    return max(taken, key=lambda pair: pair[0])[1] if taken else None


def _taken(stages: Sequence[Weakest], weight: float, others: Sequence[Weakest]) -> Iterator[tuple[float, Weakest]]:
    share = (weight if others else 1.0) / max(len(stages), 1)
    for stage in stages:
        yield round((1 - stage.score) * share, _DECIMALS), stage
