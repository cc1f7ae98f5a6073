"""Counts results as they come, in constant memory."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, fsum
from typing import Any

from eval_worker.evaluation.stage import StageStatus
from eval_worker.result import Result, StageResult, UsageResult

MOST_AGENTS = 1_000
_DECIMALS = 4
_PERCENTILES = (50, 90, 99)


class Scores:
    """Counts each score that occurs, rounded to four decimals: at most 10,001 of them, however many events."""

    def __init__(self) -> None:
        self._counts: Counter[float] = Counter()

    def add(self, score: float) -> None:
        self._counts[round(score, _DECIMALS)] += 1

    def as_document(self) -> dict[str, float | None]:
        """The mean, and percentiles by nearest rank: each is a score that occurred."""
        total = self._counts.total()
        if not total:
            return {"mean": None, **{f"p{percent}": None for percent in _PERCENTILES}}
        mean = fsum(score * count for score, count in self._counts.items()) / total
        ordered = sorted(self._counts.items())
        ranks = {f"p{percent}": _at_rank(ordered, ceil(percent / 100 * total)) for percent in _PERCENTILES}
        return {"mean": round(mean, _DECIMALS), **ranks}


def _at_rank(ordered: Sequence[tuple[float, int]], rank: int) -> float:
    for score, count in ordered:
        rank -= count
        if rank <= 0:
            return score
    raise AssertionError("the rank is within the count")


@dataclass(slots=True)
class StageTally:
    scores: Scores = field(default_factory=Scores)
    statuses: Counter[str] = field(default_factory=Counter[str])

    def add(self, stage: StageResult) -> None:
        self.statuses[stage.status] += 1
        if stage.score is not None:
            self.scores.add(stage.score)

    def as_document(self, name: str) -> dict[str, Any]:
        return {
            "name": name,
            "scored": self.statuses[StageStatus.OK],
            "not_applicable": self.statuses[StageStatus.NOT_APPLICABLE],
            "skipped": self.statuses[StageStatus.SKIPPED],
            "unscored": self.statuses[StageStatus.ERROR],
            **self.scores.as_document(),
        }


@dataclass(slots=True)
class GroupTally:
    """All results, or those of one agent."""

    judged: int = 0
    early_exits: int = 0
    partials: int = 0
    verdicts: Counter[str] = field(default_factory=Counter[str])
    confidence: Scores = field(default_factory=Scores)
    stages: dict[str, StageTally] = field(default_factory=dict[str, StageTally])

    def add(self, result: Result) -> None:
        self.judged += 1
        self.early_exits += result.early_exit
        self.partials += result.partial
        self.verdicts[result.verdict] += 1
        if result.confidence is not None:
            self.confidence.add(result.confidence)
        for stage in result.stages:
            self.stages.setdefault(stage.name, StageTally()).add(stage)

    def as_document(self) -> dict[str, Any]:
        return {
            "judged": self.judged,
            "verdicts": {verdict: self.verdicts[verdict] for verdict in ("pass", "review", "fail")},
            "early_exits": self.early_exits,
            "partials": self.partials,
            "confidence": self.confidence.as_document(),
            "stages": [stage.as_document(name) for name, stage in self.stages.items()],
        }


class Tally:
    """Everything that the summary says of a batch."""

    def __init__(self) -> None:
        self.all = GroupTally()
        self.agents: dict[str | None, GroupTally] = {}
        self.of_other_agents = 0
        self.conversations = 0
        self.rejected = 0
        self.rejected_fields: Counter[str] = Counter()
        self.usage = UsageResult()

    @property
    def lines(self) -> int:
        return self.all.judged + self.rejected

    @property
    def cost_usd(self) -> float | None:
        return self.usage.cost_usd

    @property
    def pass_rate(self) -> float | None:
        """The share of passes in all lines, since one that was rejected is no pass."""
        return self.all.verdicts["pass"] / self.lines if self.lines else None

    def add(self, result: Result) -> None:
        self.all.add(result)
        self.conversations += len(result.agentic.get("per_conversation_metrics", ())) if result.agentic else 0
        self._add_to_agent(result)
        self.usage += result.usage

    def reject(self, field_name: str | None) -> None:
        self.rejected += 1
        self.rejected_fields[field_name or "judges"] += 1

    def _add_to_agent(self, result: Result) -> None:
        name = result.agent.name if result.agent else None
        group = self.agents.get(name)
        if group is None and len(self.agents) >= MOST_AGENTS:
            self.of_other_agents += 1
            return
        if group is None:
            group = self.agents[name] = GroupTally()
        group.add(result)

    def as_document(self) -> dict[str, Any]:
        return {
            "lines": self.lines,
            "rejected": self.rejected,
            "pass_rate": self.pass_rate,
            "conversations": self.conversations,
            **self.all.as_document(),
            "agents": [{"name": name, **group.as_document()} for name, group in self.agents.items()],
            "judged_of_other_agents": self.of_other_agents,
            "rejected_by_field": dict(self.rejected_fields.most_common()),
            "usage": self.usage.model_dump(),
        }
