"""What is kept of a result so that thousands can be counted and searched: small, whatever the result holds."""

from math import isfinite

from eval_worker.evaluation.stage import StageStatus
from eval_worker.result import Result
from eval_worker.value_object import value_object
from eval_worker.weakest_stage import Weakest, weakest_stage

LONGEST_NAME = 100
LONGEST_ID = 200
LONGEST_REASON = 200
LONGEST_TEXT = 800  # characters searched of each result, of which each part may take a share


@value_object
class ResultFacts:
    """One result. Texts are cut; `at_ms` is when its entry was written, by the id that Redis gave it.

    `scores` has a pair for each stage that was scored, and one with None for each that failed. `text` is what a search
    looks through, in one case.
    """

    id: str
    at_ms: int
    event_id: str
    agent: str | None
    version: str | None
    verdict: str
    confidence: float | None
    early_exit: bool
    partial: bool
    llm_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    weakest: Weakest | None
    scores: tuple[tuple[str, float | None], ...]
    text: str


def facts_of(entry_id: str, result: Result) -> ResultFacts:
    """Take from a result what is counted."""
    agent, usage = result.agent, result.usage
    cost = usage.cost_usd
    return ResultFacts(
        id=entry_id,
        at_ms=int(entry_id.rpartition("/")[2].partition("-")[0]),
        event_id=cut(result.id, LONGEST_ID),
        agent=_name(agent.name if agent else None),
        version=_name(agent.version if agent else None),
        verdict=result.verdict,
        confidence=result.confidence,
        early_exit=result.early_exit,
        partial=result.partial,
        llm_calls=usage.llm_calls,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=cost if cost is not None and isfinite(cost) else None,
        weakest=_weakest(result),
        scores=tuple(
            (cut(stage.name, LONGEST_NAME), stage.score)
            for stage in result.stages
            if stage.score is not None or stage.status is StageStatus.ERROR
        ),
        text=_searched(result),
    )


def cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _name(name: str | None) -> str | None:
    return cut(name, LONGEST_NAME) if name else None


def _weakest(result: Result) -> Weakest | None:
    stage = weakest_stage(result)
    if stage is None:
        return None
    return Weakest(cut(stage.name, LONGEST_NAME), stage.score, cut(stage.reason, LONGEST_REASON))


def _searched(result: Result) -> str:
    """The id first; then query and answer where they are kept, then reasons, as many as there is room for."""
    interaction = result.interaction or {}
    parts = [
        cut(result.id, LONGEST_ID),
        *(cut(interaction.get(name, ""), LONGEST_REASON) for name in ("user_query", "answer")),
        *(cut(stage.reason, LONGEST_REASON) for stage in result.stages[:16]),
    ]
    return "\n".join(parts).casefold()[:LONGEST_TEXT]
