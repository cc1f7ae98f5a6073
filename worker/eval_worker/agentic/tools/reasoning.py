"""What was missing, extra or wrong, in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from eval_worker.agentic.tools.arguments import wrong_arguments
from eval_worker.agentic.tools.matching import Pair
from eval_worker.agentic.tools.selection import Selection
from eval_worker.agentic.tools.shown import cut, shown
from eval_worker.agentic.tools.tool_use import ExpectedCall, ToolCall

MOST_NAMED = 10


def reason(
    used: Sequence[ToolCall],
    expected: Sequence[ExpectedCall],
    pairs: Sequence[Pair],
    selection: Selection,
    aspects: Mapping[str, float],
) -> str:
    """Name all that cost something; of many findings of one kind the first."""
    of_arguments = (
        finding for pair in pairs for finding in _argument_findings(used[pair.used], expected[pair.expected])
    )
    findings = [*_first(_selection_findings(selection)), *_first(of_arguments)]
    if pairs and aspects["sequence"] < 1:
        findings.append(_order_finding(used, expected))
    if aspects["utilization"] < 1:
        findings.append("the answer does not use what the tools returned")
    if findings:
        return "; ".join(findings)
    return "all tools were called as expected" if used or expected else "no tool was needed and none was called"


def _selection_findings(selection: Selection) -> Iterator[str]:
    """Name the forbidden tools that were used, then each tool that was called too rarely or too often."""
    for name in selection.forbidden:
        yield f"{cut(name)} is forbidden and was called {_times(selection.used[name])}"
    for name in selection.expected | selection.used:
        used, expected = selection.used[name], selection.expected[name]
        if used == expected or name in selection.forbidden:
            continue
        if used == 0:
            yield f"{cut(name)} was not called, expected {_times(expected)}"
        else:
            yield f"{cut(name)} was called {_times(used)}, expected {expected or 'none'}"


def _argument_findings(used: ToolCall, expected: ExpectedCall) -> Iterator[str]:
    """Name each argument of a matched call that is not right."""
    for argument in wrong_arguments(used, expected):
        where = f"{cut(used.tool_name)}({cut(argument)})"
        wanted = _wanted(argument, expected)
        if argument not in used.parameters:
            yield f"{where}: missing, expected {wanted}"
        else:
            yield f"{where}: got {shown(used.parameters[argument])}, expected {wanted}"


def _order_finding(used: Sequence[ToolCall], expected: Sequence[ToolCall]) -> str:
    if [call.tool_name for call in used] == [call.tool_name for call in expected]:
        return f"order: called {_names(used)} as expected, but with the arguments in another order"
    return f"order: called {_names(used)}, expected {_names(expected)}"


def _wanted(argument: str, expected: ExpectedCall) -> str:
    if argument in expected.parameters:
        return shown(expected.parameters[argument])
    if argument in expected.accepted:
        return f"one of {shown(expected.accepted[argument])}"
    return "no such argument"


def _first(findings: Iterable[str]) -> Iterator[str]:
    others = 0
    for place, finding in enumerate(findings):
        if place < MOST_NAMED:
            yield finding
        else:
            others += 1
    if others:
        yield f"and {others} more"


def _names(calls: Sequence[ToolCall]) -> str:
    named = ", ".join(cut(call.tool_name) for call in calls[:MOST_NAMED])
    return named + (", …" if len(calls) > MOST_NAMED else "")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
