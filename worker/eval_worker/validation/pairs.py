"""What a person said of a record beside what the judges said: all that the figures are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval_worker.evaluation.aggregate import Verdict
from eval_worker.evaluation.judges.definition import STAGE_SUFFIX
from eval_worker.evaluation.stage import StageStatus
from eval_worker.result import Result
from eval_worker.validation.labels import PLACES

EXCERPT_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Pair:
    """`judge_scores` and `human_scores` are by judge, without `-judge`; a judge that is unscored has None."""

    number: int
    event_id: str
    human: Verdict
    label_from_scores: bool
    verdict: Verdict
    confidence: float
    early_exit: bool
    partial: bool
    judge_scores: Mapping[str, float | None]
    human_scores: Mapping[str, float]
    query: str = ""
    answer: str = ""
    why: str = ""

    @property
    def agrees(self) -> bool:
        return self.human is self.verdict

    @property
    def may_pass(self) -> bool:
        """Whether any confidence makes it a `pass`: never an early exit, nor a result with an unscored judge."""
        scored = any(score is not None for score in self.judge_scores.values())
        return scored and not (self.early_exit or self.partial)

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "id": self.event_id,
            "human": self.human.value,
            "verdict": self.verdict.value,
            "confidence": self.confidence,
            "agrees": self.agrees,
            "judge_scores": dict(self.judge_scores),
            "human_scores": dict(self.human_scores),
            "label_from_scores": self.label_from_scores,
            "early_exit": self.early_exit,
            "partial": self.partial,
        }


def judge_scores(result: Result) -> dict[str, float | None]:
    """Return each judge's score by its name; one that does not apply, or was not asked, is not there."""
    return {
        stage.name.removesuffix(STAGE_SUFFIX): stage.score
        for stage in result.stages
        if stage.name.endswith(STAGE_SUFFIX) and stage.status in {StageStatus.OK, StageStatus.ERROR}
    }


def excerpt(text: str) -> str:
    """Cut a text for a report: what is kept of a hundred thousand records must fit in memory."""
    text = " ".join(text[: EXCERPT_CHARACTERS * 2].split())
    return text if len(text) <= EXCERPT_CHARACTERS else text[: EXCERPT_CHARACTERS - 1] + "…"


def human_places(pairs: Sequence[Pair]) -> list[int]:
    return [PLACES[pair.human] for pair in pairs]


def verdict_places(pairs: Sequence[Pair]) -> list[int]:
    return [PLACES[pair.verdict] for pair in pairs]
