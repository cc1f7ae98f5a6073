"""Which call was meant to be which: one to one, by tool name, so that as many arguments as possible are right."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import lcm
from typing import TypeVar

from eval_worker.agentic.tools.arguments import ArgumentMatch, compare_arguments
from eval_worker.agentic.tools.assignment import best_assignment
from eval_worker.agentic.tools.json_value import size
from eval_worker.agentic.tools.shown import shown
from eval_worker.agentic.tools.tool_use import ExpectedCall, ToolCall

MOST_PAIRS = 10_000
MOST_VALUES = 100_000
"""How many pairs of calls, and values in them, are compared in one interaction: about half a second's worth at most.

Calls that only have to be identical, and are, don't count.
"""

Call = TypeVar("Call", bound=ToolCall)

_LENIENCE_COST = 8  # values that are compared in the time that a thousand characters take to be compared leniently
_FINEST = 2**40  # parts of a whole that shares are rounded to where their common denominator is beyond it


@dataclass(frozen=True, slots=True)
class Pair:
    """A call that was made and the one that was expected of it, by their places, and how their arguments compare."""

    used: int
    expected: int
    arguments: ArgumentMatch


@dataclass(frozen=True, slots=True)
class Namesakes:
    """One tool's calls on both sides, by their places."""

    name: str
    used: dict[int, ToolCall]
    expected: dict[int, ExpectedCall]

    def pair_count(self) -> int:
        return len(self.used) * len(self.expected)

    def value_count(self) -> int:
        """Count the values that are compared at most: those of the smaller call of each pair, and all accepted ones."""
        used = _distinct(self.used.values())
        sizes = [size(call.parameters) for call in used]
        lenient_sizes = [size(call.parameters, long_text_as=_LENIENCE_COST) for call in used]
        return sum(
            sum(lenient_sizes) + len(used) * size(call.accepted, long_text_as=_LENIENCE_COST)
            if call.accepted
            else sum(min(each, of_call) for each in sizes)
            for call in _distinct(self.expected.values())
            for of_call in [size(call.parameters)]
        )

    def without(self, pairs: Sequence[Pair]) -> "Namesakes":
        used = {pair.used for pair in pairs}
        expected = {pair.expected for pair in pairs}
        return Namesakes(
            self.name,
            {place: call for place, call in self.used.items() if place not in used},
            {place: call for place, call in self.expected.items() if place not in expected},
        )


def match_calls(used: Sequence[ToolCall], expected: Sequence[ExpectedCall]) -> list[Pair]:
    """Match as many calls of each tool as both sides have, with the largest sum of shares of right arguments.

    Among matchings of one sum it is that in which calls keep their places best: the least squared distances.
    Pairs come in the order of the expected calls.

    Raises:
        ValueError: there is more to compare than MOST_PAIRS pairs of calls or MOST_VALUES values in them.
    """
    pairs, unmatched = twins_apart(used, expected)
    for namesakes in unmatched:
        pairs += _best_pairs(namesakes)
    return sorted(pairs, key=lambda pair: pair.expected)


def twins_apart(used: Sequence[ToolCall], expected: Sequence[ExpectedCall]) -> tuple[list[Pair], list[Namesakes]]:
    """Match what is identical, and return it with all that has to be compared.

    Raises:
        ValueError: that is more than can be compared in time.
    """
    pairs: list[Pair] = []
    unmatched: list[Namesakes] = []
    for namesakes in _by_name(used, expected):
        twins = _twins(namesakes)
        pairs += twins
        unmatched.append(namesakes.without(twins))
    _refuse_too_many(unmatched)
    return pairs, unmatched


def _by_name(used: Sequence[ToolCall], expected: Sequence[ExpectedCall]) -> list[Namesakes]:
    names = {call.tool_name: Namesakes(call.tool_name, {}, {}) for call in expected}
    for place, call in enumerate(expected):
        names[call.tool_name].expected[place] = call
    for place, call in enumerate(used):
        if call.tool_name in names:
            names[call.tool_name].used[place] = call
    return list(names.values())


def _twins(namesakes: Namesakes) -> list[Pair]:
    """Match identical calls, first with first, where nothing but the expected call's own arguments is right.

    The best sum is reached with them: the share of wrong arguments is a distance then, and by the triangle inequality
    what two calls are worth with two twins is at most 1 more than what they are worth with each other.
    """
    if not all(call.is_plain for call in namesakes.expected.values()):
        return []
    wanted: defaultdict[str, list[int]] = defaultdict(list)
    for place, call in reversed(namesakes.expected.items()):
        wanted[_arguments(call)].append(place)
    return [
        Pair(place, places.pop(), ArgumentMatch.perfect(len(call.parameters)))
        for place, call in namesakes.used.items()
        if (places := wanted.get(_arguments(call)))
    ]


def _refuse_too_many(unmatched: Sequence[Namesakes]) -> None:
    """The time goes up with both numbers, and the caller may be an event loop."""
    _refuse_above(MOST_PAIRS, "pairs of calls", unmatched, Namesakes.pair_count)
    _refuse_above(MOST_VALUES, "values", unmatched, Namesakes.value_count)


def _refuse_above(most: int, what: str, unmatched: Sequence[Namesakes], count: Callable[[Namesakes], int]) -> None:
    counts = [count(namesakes) for namesakes in unmatched]
    if sum(counts) > most:
        largest = unmatched[counts.index(max(counts))]
        raise ValueError(
            f"tools_used: {sum(counts)} {what} to compare, at most {most} are compared in one interaction; most of "
            f"them in {len(largest.used)} calls of {shown(largest.name)} against {len(largest.expected)} expected"
        )


def _best_pairs(namesakes: Namesakes) -> list[Pair]:
    used_places, expected_places = list(namesakes.used), list(namesakes.expected)
    compared = _compare_all(namesakes)
    used_are_more = len(used_places) > len(expected_places)
    rows = list(zip(*compared, strict=True)) if used_are_more else compared
    assigned = enumerate(best_assignment(_worths(rows)))
    chosen = [(column, row) for row, column in assigned] if used_are_more else list(assigned)
    return [Pair(used_places[i], expected_places[j], compared[i][j]) for i, j in chosen]


def _compare_all(namesakes: Namesakes) -> list[list[ArgumentMatch]]:
    """Compare each call that was made with each expected one; those that are written alike only once."""
    known: dict[tuple[str, str], ArgumentMatch] = {}
    expected = [(written(call), call) for call in namesakes.expected.values()]
    rows: list[list[ArgumentMatch]] = []
    for used_call in namesakes.used.values():
        text = written(used_call)
        for expected_text, expected_call in expected:
            if (text, expected_text) not in known:
                known[text, expected_text] = compare_arguments(used_call, expected_call)
        rows.append([known[text, expected_text] for expected_text, _ in expected])
    return rows


def _worths(rows: Sequence[Sequence[ArgumentMatch]]) -> list[list[int]]:
    """Return whole numbers that compare as (share of right arguments, nearness of place) do, sums included."""
    if not rows:
        return []
    whole = min(lcm(*{match.count for row in rows for match in row}), _FINEST)
    farther_than_all = len(rows) * len(rows[0]) ** 2 + 1
    return [
        [
            match.right * whole // match.count * farther_than_all - (row_place - column_place) ** 2
            for column_place, match in enumerate(row)
        ]
        for row_place, row in enumerate(rows)
    ]


def written(call: ToolCall) -> str:
    """Return what two calls have in common that can stand in for each other: all but their steps."""
    return json.dumps(call.model_dump(exclude={"step"}), sort_keys=True)


def _distinct(calls: Iterable[Call]) -> list[Call]:
    return list({written(call): call for call in calls}.values())


def _arguments(call: ToolCall) -> str:
    return json.dumps(call.parameters, sort_keys=True)
