"""Tool correctness of one interaction: were the right tools called, rightly, in the right order, and put to use?

calls used      ─┐            ┌─► selection ────┐
calls expected  ─┴─► matched ─┼─► parameters ───┼─► weighted mean ─► correct?
                              ├─► sequence ─────┤
the answer's own word ────────┴─► utilization ──┘
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args, overload

from pydantic import BaseModel, ConfigDict

from eval_worker.agentic.tools.matching import Pair, match_calls, twins_apart
from eval_worker.agentic.tools.reasoning import reason
from eval_worker.agentic.tools.selection import Selection, SelectionMeasure
from eval_worker.agentic.tools.sequence import SequenceMode, by_step, sequence_score
from eval_worker.agentic.tools.shown import cut
from eval_worker.agentic.tools.tool_use import (
    ExpectedToolUse,
    ToolCall,
    ToolUse,
    read_expected_tool_use,
    read_tool_use,
)
from eval_worker.agentic.tools.weights import complete_weights, weighted_mean

_ROUNDING = 1e-9


class ToolCorrectnessScore(BaseModel):
    """Shares from 0 to 1; `overall_correctness` is the weighted mean of the first four.

    `tool_selection_correct` is one of the measures of selection further down, or 0 where a forbidden tool was used.
    `missing_tools` were called less often than expected and `extra_tools` more often, each named once.
    """

    model_config = ConfigDict(frozen=True)

    tool_selection_correct: float
    parameter_accuracy: float
    sequence_correct: float
    result_utilization: float
    overall_correctness: float
    is_correct: bool
    reasoning: str | None
    selection_precision: float
    selection_recall: float
    selection_f1: float
    missing_tools: list[str]
    extra_tools: list[str]
    forbidden_tools_used: list[str]


@overload
def tool_correctness(
    agentic: Mapping[str, Any] | None,
    ground_truth_agentic: None,
    *,
    weights: Mapping[str, float] | None = None,
    threshold: float = 1.0,
    selection: SelectionMeasure = "f1",
    sequence: SequenceMode = "in_order",
    forbidden_tools: Collection[str] = (),
) -> None: ...


@overload
def tool_correctness(
    agentic: Mapping[str, Any] | None,
    ground_truth_agentic: Mapping[str, Any],
    *,
    weights: Mapping[str, float] | None = None,
    threshold: float = 1.0,
    selection: SelectionMeasure = "f1",
    sequence: SequenceMode = "in_order",
    forbidden_tools: Collection[str] = (),
) -> ToolCorrectnessScore: ...


def tool_correctness(
    agentic: Mapping[str, Any] | None,
    ground_truth_agentic: Mapping[str, Any] | None,
    *,
    weights: Mapping[str, float] | None = None,
    threshold: float = 1.0,
    selection: SelectionMeasure = "f1",
    sequence: SequenceMode = "in_order",
    forbidden_tools: Collection[str] = (),
) -> ToolCorrectnessScore | None:
    """Score the calls that an agent made (`agentic`; None: it used no tool) against those expected of it.

    Args:
        agentic: `{"tools_used": [{tool_name, parameters, result, step}], "final_answer_uses_tools"}`.
        ground_truth_agentic: `{"expected_tools": [{tool_name, parameters, step, ...}], "tool_sequence_matters",
            "forbidden_tools"}`; None: nothing is known, and the score is None. An expected call may say more of its
            arguments, see `ExpectedCall`. Without `expected_tools` only the forbidden ones are held against the agent.
        weights: of `selection`, `parameters`, `sequence` and `utilization`, scaled to a sum of 1; those not named keep
            0.25.
        threshold: 0 to 1; the overall score that is correct.
        selection: which measure of selection counts as its score.
        sequence: how order is compared where `tool_sequence_matters`.
        forbidden_tools: names of tools that may not be used, beside those of `ground_truth_agentic`.

    Calls are matched one to one, by name and then so that as many arguments as possible are right. `parameter_accuracy`
    is the mean over matched calls of the share of right arguments: calls that are missing or extra are selection's
    business. Where calls were made or expected and none matched, it is 0. Utilization is what the agent says of its
    answer, 1 where it says nothing or where no tool was expected and none used.

    Raises:
        ValueError: an argument or a field is wrong, named with what to do; or there are too many calls to compare.
    """
    complete = complete_weights(weights)
    _check_options(threshold, selection, sequence, forbidden_tools)
    if ground_truth_agentic is None:
        return None
    use = read_tool_use(agentic, "agentic")
    truth = read_expected_tool_use(ground_truth_agentic, "ground_truth_agentic", forbidden_tools)
    used, expected = by_step(_held_against(use, truth)), by_step(truth.expected_tools or [])
    pairs = match_calls(used, expected)
    chosen = Selection.of(used, expected, truth.forbidden_tools)
    aspects = {
        "selection": chosen.score(selection),
        "parameters": _parameter_accuracy(pairs, nothing_called=not (used or expected)),
        "sequence": sequence_score(used, expected, pairs, sequence if truth.tool_sequence_matters else "any"),
        "utilization": float(use.final_answer_uses_tools is not False or not (used or expected)),
    }
    overall = weighted_mean(aspects, complete)
    return ToolCorrectnessScore(
        tool_selection_correct=aspects["selection"],
        parameter_accuracy=aspects["parameters"],
        sequence_correct=aspects["sequence"],
        result_utilization=aspects["utilization"],
        overall_correctness=overall,
        is_correct=overall >= threshold - _ROUNDING,
        reasoning=reason(used, expected, pairs, chosen, aspects),
        selection_precision=chosen.precision,
        selection_recall=chosen.recall,
        selection_f1=chosen.f1,
        missing_tools=[cut(name) for name in chosen.missing],
        extra_tools=[cut(name) for name in chosen.extra],
        forbidden_tools_used=[cut(name) for name in chosen.forbidden],
    )


def check_comparable(agentic: Mapping[str, Any] | None, ground_truth_agentic: Mapping[str, Any]) -> None:
    """Refuse beforehand, in little time, what `tool_correctness` would refuse.

    Raises:
        ValueError: a field is wrong, or there are too many calls to compare.
    """
    use = read_tool_use(agentic, "agentic")
    truth = read_expected_tool_use(ground_truth_agentic, "ground_truth_agentic")
    twins_apart(_held_against(use, truth), truth.expected_tools or [])


def _check_options(
    threshold: float, selection: SelectionMeasure, sequence: SequenceMode, forbidden_tools: Collection[str]
) -> None:
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold must be from 0 to 1, not {threshold!r}")
    for name, value, known in (("selection", selection, SelectionMeasure), ("sequence", sequence, SequenceMode)):
        if value not in get_args(known):
            raise ValueError(f"{name} must be one of {', '.join(get_args(known))}, not {value!r}")
    if isinstance(forbidden_tools, str):  # its letters would be taken for names
        raise ValueError(f"forbidden_tools must be a list of names, not {forbidden_tools!r}")  # noqa: TRY004 (as the others)


def _held_against(use: ToolUse, truth: ExpectedToolUse) -> list[ToolCall]:
    if truth.expected_tools is not None:
        return use.tools_used
    return [call for call in use.tools_used if call.tool_name in truth.forbidden_tools]


def _parameter_accuracy(pairs: Sequence[Pair], *, nothing_called: bool) -> float:
    if not pairs:
        return 1.0 if nothing_called else 0.0
    return math.fsum(pair.arguments.share for pair in pairs) / len(pairs)
