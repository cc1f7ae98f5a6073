"""The judges side by side: one event's wall time is about its slowest judge's."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.judge import Judge
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.stage import Stage


@dataclass(frozen=True, slots=True)
class PanelReport:
    """Every judge's stage, in the panel's order, and what they cost together."""

    stages: tuple[Stage, ...]
    usage: Usage


class Panel:
    """The enabled judges."""

    def __init__(self, judges: Sequence[Judge]) -> None:
        self._judges = tuple(judges)

    def __len__(self) -> int:
        return len(self._judges)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(judge.definition.name for judge in self._judges)

    def find(self, name: str) -> Judge | None:
        return next((judge for judge in self._judges if judge.definition.name == name), None)

    async def judge(self, interaction: Interaction) -> PanelReport:
        """Run all judges at once. A judge that raises is a bug: the others are cancelled and it is raised here."""
        tasks = [asyncio.ensure_future(judge.judge(interaction)) for judge in self._judges]
        try:
            judged = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        usage = sum((each.usage for each in judged), start=Usage())
        return PanelReport(tuple(each.stage for each in judged), usage)
