"""The judges of an event: side by side, or all in one call. Its wall time is about its slowest judge's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.judge import JudgedStage, StageJudge
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.judges.side_by_side import side_by_side
from eval_worker.evaluation.stage import Stage


class CombinedAsker(Protocol):
    """Asks several judges at once."""

    async def judge(self, interaction: Interaction, judges: Sequence[JudgeDefinition]) -> Sequence[JudgedStage]:
        """Return the stages of these judges in the same order."""
        ...


@dataclass(frozen=True, slots=True)
class PanelReport:
    """Every judge's stage, in the panel's order, what they cost together, and whether they were asked together."""

    stages: tuple[Stage, ...]
    usage: Usage
    combined: bool = False


class Panel:
    """The enabled judges. All of them are asked by `combined` where there is one; one alone always asks by itself."""

    def __init__(self, judges: Sequence[StageJudge], combined: CombinedAsker | None = None) -> None:
        self._judges = tuple(judges)
        self._combined = combined

    def __len__(self) -> int:
        return len(self._judges)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(judge.definition.name for judge in self._judges)

    def find(self, name: str) -> StageJudge | None:
        return next((judge for judge in self._judges if judge.definition.name == name), None)

    async def judge(self, interaction: Interaction) -> PanelReport:
        """Ask all judges. One that raises is a bug: the others are cancelled and it is raised here."""
        if self._combined is None:
            judged: Sequence[JudgedStage] = await side_by_side(judge.judge(interaction) for judge in self._judges)
        else:
            judged = await self._combined.judge(interaction, [judge.definition for judge in self._judges])
        usage = sum((each.usage for each in judged), start=Usage())
        return PanelReport(tuple(each.stage for each in judged), usage, combined=self._combined is not None)
