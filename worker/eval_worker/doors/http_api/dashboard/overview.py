"""What the page shows of results and backlog, for one choice of results; the same choice is counted once a second."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from eval_worker.dashboard.facts import ResultFacts
from eval_worker.dashboard.figures import Figures, figures_of
from eval_worker.dashboard.selection import Selection
from eval_worker.doors.http_api.dashboard.watch import Sight
from eval_worker.stream.backlog import Backlog
from eval_worker.weakest_stage import Weakest

MOST_NAMES = 200
_KEPT = 32


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A result in short. `id` is its entry on the result stream; texts are cut."""

    id: str
    at_ms: int
    event_id: str
    agent: str | None
    version: str | None
    verdict: str
    confidence: float | None
    early_exit: bool
    partial: bool
    cost_usd: float | None
    weakest: Weakest | None


@dataclass(frozen=True, slots=True)
class AgentName:
    agent: str
    versions: list[str]


@dataclass(frozen=True, slots=True)
class Overview:
    """`entries` results are in the stream, `looked_at` of them were counted, and `figures.results` of those fit.

    `loading` is true while older ones are still being read. `rows` are newest first. `read_only` says why dead letters
    can't be replayed or purged from here; null if they can.
    """

    entries: int
    looked_at: int
    loading: bool
    figures: Figures
    rows: list[ResultRow]
    agents: list[AgentName]
    backlog: Backlog | None
    read_only: str | None


class Overviews:
    """`now` is the wall clock, as stream ids are."""

    def __init__(self, read_only: str | None, now: Callable[[], float] = time.time) -> None:
        self._read_only = read_only
        self._now = now
        self._kept: OrderedDict[tuple[Selection, int], tuple[int, asyncio.Future[Overview]]] = OrderedDict()
        self._counting = ThreadPoolExecutor(1, "overview")

    async def of(self, sight: Sight, selection: Selection, limit: int) -> Overview:
        """Count in a thread, as it may take a tenth of a second and others wait to be judged.

        There is one thread, as more would only take the interpreter from each other and from those who judge.
        """
        moment, key = int(self._now()), (selection, limit)
        kept = self._kept.get(key)
        if kept is None or kept[0] != moment:
            loop = asyncio.get_running_loop()
            kept = (moment, loop.run_in_executor(self._counting, self._count, sight, selection, limit, moment))
            self._kept[key] = kept
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return await asyncio.shield(kept[1])  # one who hangs up does not take it from the others

    def _count(self, sight: Sight, selection: Selection, limit: int, moment: int) -> Overview:
        chosen = selection.of(sight.facts)
        return Overview(
            entries=sight.entries,
            looked_at=len(sight.facts),
            loading=not sight.reaches_back,
            figures=figures_of(chosen, moment * 1000),
            rows=[_row(each) for each in reversed(chosen[-limit:])],
            agents=_names(sight.facts),
            backlog=sight.backlog,
            read_only=self._read_only,
        )


def _row(facts: ResultFacts) -> ResultRow:
    return ResultRow(
        facts.id,
        facts.at_ms,
        facts.event_id,
        facts.agent,
        facts.version,
        facts.verdict,
        facts.confidence,
        facts.early_exit,
        facts.partial,
        facts.cost_usd,
        facts.weakest,
    )


def _names(facts: tuple[ResultFacts, ...]) -> list[AgentName]:
    """What can be chosen from, whatever is chosen now."""
    versions: dict[str, set[str]] = {}
    for agent, version in {(each.agent, each.version) for each in facts}:
        if agent is not None and (agent in versions or len(versions) < MOST_NAMES):
            versions.setdefault(agent, set()).update([version] if version else [])
    return [AgentName(agent, sorted(versions[agent])[:MOST_NAMES]) for agent in sorted(versions)]
