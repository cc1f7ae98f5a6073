"""Figures of many results: verdicts, confidence, scores and cost, in all, by agent and version, and over time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from eval_worker.dashboard.facts import ResultFacts
from eval_worker.dashboard.timeline import Cell, Steps, Timeline

BINS = 10
MOST_AGENTS = 12
MOST_STAGES = 12
_MINUTE_MS = 60_000

_Version = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class StageFigures:
    """Of one stage: how many scores fell into each tenth of 0 to 1 (1.0 into the last), and how many judges failed."""

    name: str
    scored: int
    unscored: int
    mean: float | None
    bins: list[int]


@dataclass(frozen=True, slots=True)
class AgentFigures:
    """Of one version of an agent; None is one that gave no name or no version."""

    agent: str | None
    version: str | None
    results: int
    verdicts: dict[str, int]
    mean_confidence: float | None
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class CostFigures:
    """`known_usd` is None where no cost is known; `unknown` results made calls whose cost is not."""

    known_usd: float | None
    unknown: int
    llm_calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Figures:
    """`last_minute` is how many came in the minute before now; `more_agents` are not listed."""

    results: int
    last_minute: int
    verdicts: dict[str, int]
    mean_confidence: float | None
    early_exits: int
    partial: int
    cost: CostFigures
    timeline: Timeline
    agents: list[AgentFigures]
    more_agents: int
    stages: list[StageFigures]


def figures_of(facts: Sequence[ResultFacts], now_ms: int) -> Figures:
    """Count results that are given oldest first."""
    steps = Steps.covering(facts[0].at_ms, facts[-1].at_ms) if facts else Steps(now_ms, _MINUTE_MS, 1)
    cells = _cells(facts, steps)
    every = _merged(cells.values(), steps)
    whole = _whole(every)
    return Figures(
        results=whole.results,
        last_minute=_since(facts, now_ms - _MINUTE_MS),
        verdicts=whole.verdicts,
        mean_confidence=whole.mean_confidence,
        early_exits=sum(each.early_exit for each in facts),
        partial=sum(each.partial for each in facts),
        cost=_cost(facts),
        timeline=Timeline.of(every, steps),
        agents=_by_agent(cells, steps),
        more_agents=max(len(cells) - MOST_AGENTS, 0),
        stages=_stages(facts),
    )


def _cells(facts: Iterable[ResultFacts], steps: Steps) -> dict[_Version, dict[int, Cell]]:
    """By agent and version, then by step; only those that hold something, as anybody may make up names."""
    cells: dict[_Version, dict[int, Cell]] = {}
    for each in facts:
        row = cells.setdefault((each.agent, each.version), {})
        index = steps.index(each.at_ms)
        cell = row.get(index)
        if cell is None:
            cell = row[index] = Cell()
        cell.add(each)
    return cells


def _merged(rows: Iterable[dict[int, Cell]], steps: Steps) -> list[Cell]:
    merged = [Cell() for _ in range(steps.count)]
    for row in rows:
        for index, cell in row.items():
            merged[index].merge(cell)
    return merged


def _whole(cells: Iterable[Cell]) -> Cell:
    whole = Cell()
    for cell in cells:
        whole.merge(cell)
    return whole


def _by_agent(cells: dict[_Version, dict[int, Cell]], steps: Steps) -> list[AgentFigures]:
    """Those with most results."""
    by_size = sorted(((_whole(row.values()), version, row) for version, row in cells.items()), key=_size, reverse=True)
    return [
        AgentFigures(
            *version, whole.results, whole.verdicts, whole.mean_confidence, Timeline.of(_merged([row], steps), steps)
        )
        for whole, version, row in by_size[:MOST_AGENTS]
    ]


def _size(one: tuple[Cell, _Version, dict[int, Cell]]) -> int:
    return one[0].results


def _since(facts: Sequence[ResultFacts], start_ms: int) -> int:
    count = 0
    for each in reversed(facts):
        if each.at_ms < start_ms:
            break
        count += 1
    return count


def _cost(facts: Iterable[ResultFacts]) -> CostFigures:
    called = [each for each in facts if each.llm_calls]
    known = [each.cost_usd for each in called if each.cost_usd is not None]
    return CostFigures(
        known_usd=round(sum(known), 9) if known else None,
        unknown=len(called) - len(known),
        llm_calls=sum(each.llm_calls for each in called),
        input_tokens=sum(each.input_tokens for each in called),
        output_tokens=sum(each.output_tokens for each in called),
    )


@dataclass(slots=True)
class _Scores:
    total: float = 0.0
    unscored: int = 0
    bins: list[int] = field(default_factory=lambda: [0] * BINS)


def _stages(facts: Iterable[ResultFacts]) -> list[StageFigures]:
    """In the order in which they first stand in results; the commonest, where there are very many."""
    by_name: dict[str, _Scores] = {}
    for each in facts:
        for name, score in each.scores:
            found = by_name.get(name)
            if found is None:
                found = by_name[name] = _Scores()
            if score is None:
                found.unscored += 1
            else:
                found.total += score
                found.bins[min(int(score * BINS), BINS - 1)] += 1
    stages = [_stage(name, scores) for name, scores in by_name.items()]
    common = {id(stage) for stage in sorted(stages, key=_commonness, reverse=True)[:MOST_STAGES]}
    return [stage for stage in stages if id(stage) in common]


def _stage(name: str, scores: _Scores) -> StageFigures:
    scored = sum(scores.bins)
    return StageFigures(name, scored, scores.unscored, scores.total / scored if scored else None, scores.bins)


def _commonness(stage: StageFigures) -> int:
    return stage.scored + stage.unscored
