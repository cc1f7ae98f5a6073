"""The judges of an event: side by side, or all in one call, or wave after wave of either.

Its wall time is about its slowest judge's; in waves, that of each wave.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.judge import JudgedStage, StageJudge, what_is_missing
from eval_worker.evaluation.judges.model import NOTHING_USED, Usage
from eval_worker.evaluation.judges.side_by_side import side_by_side
from eval_worker.evaluation.judges.waves import ALL_AT_ONCE, Waves, in_waves
from eval_worker.evaluation.stage import Stage
from eval_worker.value_object import value_object

WhyStop = Callable[[Sequence[Stage], int], str | None]
"""Called with the stages of those asked and how many are left: says why these need not be asked, or None."""


class CombinedAsker(Protocol):
    """Asks several judges at once."""

    async def judge(self, interaction: Interaction, judges: Sequence[JudgeDefinition]) -> Sequence[JudgedStage]:
        """Return the stages of these judges in the same order."""
        ...


@value_object
class PanelReport:
    """Every judge's stage, in the panel's order, what they cost together, and whether they share calls."""

    stages: tuple[Stage, ...]
    usage: Usage
    combined: bool = False


class Panel:
    """The enabled judges. Those of a wave are asked by `combined` where there is one, else each asks by itself."""

    def __init__(
        self, judges: Sequence[StageJudge], combined: CombinedAsker | None = None, waves: Waves = ALL_AT_ONCE
    ) -> None:
        self._judges = {judge.definition.name: judge for judge in judges}
        self._definitions = [judge.definition for judge in judges]
        self._combined = combined
        self._waves = waves

    def __len__(self) -> int:
        return len(self._judges)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._judges)

    def find(self, name: str) -> StageJudge | None:
        return self._judges.get(name)

    async def judge(self, interaction: Interaction, why_stop: WhyStop = lambda _asked, _left: None) -> PanelReport:
        """Ask the judges, until `why_stop` says why those of the later waves need not be asked.

        One that raises is a bug: the others are cancelled and it is raised here.
        """
        asking = self._in_waves(interaction, why_stop) if self._waves else self._ask(self._definitions, interaction)
        judged = await asking
        usage = sum([each.usage for each in judged], start=NOTHING_USED)
        return PanelReport(tuple([each.stage for each in judged]), usage, combined=self._combined is not None)

    async def _in_waves(self, interaction: Interaction, why_stop: WhyStop) -> Sequence[JudgedStage]:
        judged: dict[str, JudgedStage] = {}
        reason: str | None = None
        for wave in self._waves_for(interaction):
            if judged:
                asked = [each.stage for each in judged.values()]
                reason = reason or why_stop(asked, len(self._judges) - len(asked))
            stages = _skipped(wave, reason) if reason else await self._ask(wave, interaction)
            judged |= zip((judge.name for judge in wave), stages, strict=True)
        return [judged[name] for name in self._judges]

    def _waves_for(self, interaction: Interaction) -> list[list[JudgeDefinition]]:
        """Return whom to ask when. Those that do not apply come first: they ask nobody, and are not in doubt then."""
        missing = {judge.name: what_is_missing(judge, interaction) for judge in self._definitions}
        free = [judge for judge in self._definitions if missing[judge.name]]
        waves = in_waves([judge for judge in self._definitions if not missing[judge.name]], self._waves)
        return [free, *waves] if free else waves

    def _ask(self, wave: Sequence[JudgeDefinition], interaction: Interaction) -> Awaitable[Sequence[JudgedStage]]:
        if self._combined is not None:
            return self._combined.judge(interaction, wave)
        return side_by_side(self._judges[judge.name].judge(interaction) for judge in wave)


def _skipped(wave: Sequence[JudgeDefinition], reason: str) -> list[JudgedStage]:
    return [JudgedStage(Stage.skipped(judge.stage_name, reason), NOTHING_USED) for judge in wave]
