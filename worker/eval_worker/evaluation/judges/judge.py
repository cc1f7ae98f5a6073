"""One judge on one interaction; a stage comes out, whatever happens."""

from collections.abc import Callable
from typing import Protocol

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Asker, AttemptObserver, Patience, ignore_attempt
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.model import (
    NOTHING_USED,
    CannotJudge,
    Judgement,
    JudgeModel,
    Opinion,
    Usage,
)
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.evaluation.stage import Stage, StageStatus
from eval_worker.value_object import value_object

NO_CONTEXT = "no context given"
NO_REFERENCE = "no reference answer given"


@value_object
class JudgedStage:
    """A judge's stage, and what it cost."""

    stage: Stage
    usage: Usage


class StageJudge(Protocol):
    """Judges one quality of an interaction; whatever happens, a stage comes out."""

    @property
    def definition(self) -> JudgeDefinition: ...

    async def judge(self, interaction: Interaction) -> JudgedStage: ...


class Judge:
    """Asks one judge's question where it applies."""

    def __init__(
        self,
        definition: JudgeDefinition,
        model: JudgeModel,
        patience: Patience,
        clock_ns: Callable[[], int],
        on_attempt: AttemptObserver = ignore_attempt,
    ) -> None:
        self.definition = definition
        self._asker: Asker[JudgeRequest] = Asker(model.ask, patience, clock_ns, on_attempt)

    async def judge(self, interaction: Interaction) -> JudgedStage:
        if missing := what_is_missing(self.definition, interaction):
            return not_applicable(self.definition, missing)
        answered = await self._asker.ask(JudgeRequest(self.definition, interaction))
        opinion = answered.opinions[self.definition.name]
        return JudgedStage(stage_of(self.definition, opinion, answered.duration_ns), answered.usage)


def what_is_missing(judge: JudgeDefinition, interaction: Interaction) -> str | None:
    """Say what the judge needs and the interaction does not have, for which it is left out; None where it applies."""
    if judge.requires_context and not interaction.has_context:
        return NO_CONTEXT
    if judge.requires_reference and not interaction.has_reference:
        return NO_REFERENCE
    return None


def not_applicable(judge: JudgeDefinition, reason: str) -> JudgedStage:
    return JudgedStage(Stage.not_applicable(judge.stage_name, reason), NOTHING_USED)


def stage_of(judge: JudgeDefinition, opinion: Opinion, duration_ns: int) -> Stage:
    name = judge.stage_name
    if isinstance(opinion, Judgement):  # no `match`, which takes as long as all the rest here
        return Stage(name, opinion.score, _whole_characters(opinion.reason), duration_ns)
    if isinstance(opinion, CannotJudge):
        return Stage.not_applicable(name, opinion.reason, duration_ns)
    return Stage(name, None, _whole_characters(opinion.message), duration_ns, StageStatus.ERROR, opinion)


def _whole_characters(text: str) -> str:
    """Spell out half a character, which a provider may send and no UTF-8 can hold."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()
