"""One stage of an evaluation: a precheck's or a judge's score with its reason."""

from enum import StrEnum
from typing import TYPE_CHECKING

from eval_worker.value_object import value_object

if TYPE_CHECKING:
    from eval_worker.evaluation.judges.model import ModelFailure


class StageStatus(StrEnum):
    OK = "ok"
    NOT_APPLICABLE = "not_applicable"  # it has nothing to say here, and is left out of every mean
    ERROR = "error"  # a judge that failed: unscored, never 0
    SKIPPED = "skipped"  # a judge that was not asked, since no score of its could change the verdict


@value_object
class Stage:
    """`score` is 0..1, or None unless `status` is ok. `failure` says why a judge is unscored.

    `cached`: the judgement was made before, of the same text by the same judge, and no call was made for it.
    """

    name: str
    score: float | None
    reason: str
    duration_ns: int
    status: StageStatus = StageStatus.OK
    failure: "ModelFailure | None" = None
    cached: bool = False

    @property
    def scored_now(self) -> bool:
        """Whether it was scored for this event, which shows that the model answers; what was said before does not."""
        return self.score is not None and not self.cached

    @classmethod
    def not_applicable(cls, name: str, reason: str, duration_ns: int = 0) -> "Stage":
        return cls(name, None, reason, duration_ns, StageStatus.NOT_APPLICABLE)

    @classmethod
    def skipped(cls, name: str, reason: str) -> "Stage":
        return cls(name, None, reason, 0, StageStatus.SKIPPED)
