"""Whether the calls came in the expected order. Order is relative: what counts is which came before which."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, TypeVar

from eval_worker.agentic.tools.matching import Pair, written
from eval_worker.agentic.tools.tool_use import ToolCall

SequenceMode = Literal["in_order", "exact", "any"]
"""in_order: other calls may come between. exact: nothing may be added or left out. any: order is not looked at."""

Call = TypeVar("Call", bound=ToolCall)


def by_step(calls: Sequence[Call]) -> Sequence[Call]:
    """Sort calls by their steps; where one has none, all keep the order of the list, since the two don't compare."""
    return sorted(calls, key=_step) if _have_steps(calls) else calls


def sequence_score(
    used: Sequence[ToolCall], expected: Sequence[ToolCall], pairs: Sequence[Pair], mode: SequenceMode
) -> float:
    """Return the longest common subsequence as a share of the matched calls; where `exact`, of the longer side's calls.

    Both sides come sorted by step. Calls of one step ran side by side: any order among them is right. Without a matched
    call nothing came in order: 0, unless there was no call at all.
    """
    if mode == "any" or not (used or expected):
        return 1.0
    if not pairs:
        return 0.0
    whole = len(pairs) if mode == "in_order" else max(len(used), len(expected))
    return _longest_in_order(used, expected, pairs) / whole


def _longest_in_order(used: Sequence[ToolCall], expected: Sequence[ToolCall], pairs: Sequence[Pair]) -> int:
    """Whichever is more: of the pairs as they are, or with calls that are written alike standing in for each other."""
    as_matched = _longest_chain(_ranks(used), _ranks(expected), pairs)
    return as_matched if as_matched == len(pairs) else max(as_matched, _common_subsequence(used, expected, pairs))


def _longest_chain(used_ranks: Sequence[int], expected_ranks: Sequence[int], pairs: Sequence[Pair]) -> int:
    """Count the most pairs of which no two contradict each other: one earlier here and later there.

    Schensted, C. (1961), Longest increasing and decreasing subsequences.
    """
    ordered = sorted((used_ranks[pair.used], expected_ranks[pair.expected]) for pair in pairs)
    last_of_length: list[tuple[int, int]] = []
    for place, (_, rank) in enumerate(ordered):
        key = (rank, place)  # equal ranks do not contradict each other, so each is beyond the one before
        longer = bisect_left(last_of_length, key)
        last_of_length[longer : longer + 1] = [key]
    return len(last_of_length)


def _common_subsequence(used: Sequence[ToolCall], expected: Sequence[ToolCall], pairs: Sequence[Pair]) -> int:
    """Measure the longest common subsequence, calls being the same where some that are written like them were matched.

    One bit for each expected call, so that hundreds of calls cost next to nothing. Hyyrö, H. (2004), Bit-parallel
    LCS-length computation revisited.
    """
    used_texts, expected_texts = [written(call) for call in used], [written(call) for call in expected]
    places_of: defaultdict[str, int] = defaultdict(int)
    for place, text in enumerate(expected_texts):
        places_of[text] |= 1 << place
    partners: defaultdict[str, int] = defaultdict(int)
    for pair in pairs:
        partners[used_texts[pair.used]] |= places_of[expected_texts[pair.expected]]
    all_places = (1 << len(expected)) - 1
    unused = all_places
    for text in used_texts:
        same = unused & partners[text]
        unused = ((unused + same) | (unused - same)) & all_places
    return len(expected) - unused.bit_count()


def _ranks(calls: Sequence[ToolCall]) -> list[int]:
    return [_step(call) for call in calls] if _have_steps(calls) else list(range(len(calls)))


def _have_steps(calls: Sequence[ToolCall]) -> bool:
    return all(call.step is not None for call in calls)


def _step(call: ToolCall) -> int:
    return call.step or 0
