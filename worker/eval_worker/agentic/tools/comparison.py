"""Whether one JSON value is another: exact, but for a tolerance on numbers and lenience with accepted text."""

import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from eval_worker.agentic.tools.json_value import Json

_IGNORED_IN_TEXT = str.maketrans({"'": '"'} | dict.fromkeys(" ,./-_*^"))
_NUMBER = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
_ATOMS = frozenset({str, int, float, bool, type(None)})


@dataclass(frozen=True, slots=True)
class Comparison:
    """JSON's semantics: true is not 1, 1 is not "1", 1 is 1.0, null is a value; lists by place, objects by key.

    `tolerance` is the largest distance between two numbers that pass for one.
    """

    tolerance: float = 0.0

    def same(self, one: Json, other: Json) -> bool:
        if type(one) is type(other) and type(one) in _ATOMS and one == other:
            return True  # most are, and hundreds of calls have many
        if _is_number(one) and _is_number(other):
            return self._same_number(one, other)
        if _is_list(one) and _is_list(other):
            return len(one) == len(other) and all(map(self.same, one, other))
        if _is_object(one) and _is_object(other):
            return one.keys() == other.keys() and all(self.same(one[key], other[key]) for key in one)
        return False

    def _same_number(self, one: float, other: float) -> bool:
        if one == other or (math.isnan(one) and math.isnan(other)):
            return True
        if not self.tolerance:
            return False
        # 1.1 is 0.1 away from 1, and in binary fractions a little more.
        rounding = sys.float_info.epsilon * max(abs(one), abs(other))
        return abs(one - other) <= self.tolerance + rounding < math.inf

    def accepts(self, value: Json, accepted: Sequence[Json], expected: Json) -> bool:
        """Whether the value is one of those accepted or the expected one, however its text is spelled."""
        spelled = without_spelling(value)
        return self.same(spelled, without_spelling(expected)) or any(
            self._is_meant_by(spelled, each, expected) for each in accepted
        )

    def _is_meant_by(self, value: Json, accepted: Json, expected: Json) -> bool:
        """Whether the value, without its spelling, is this accepted one; `expected` tells how that is to be read."""
        if _is_object(value) and _is_object(accepted):
            if self._offers_choices(accepted, expected):
                return self._chooses(value, accepted, expected)
        elif _is_list(value) and _is_list(accepted):
            wanted = expected if _is_list(expected) and len(expected) == len(accepted) else [None] * len(accepted)
            return len(value) == len(accepted) and all(map(self._is_meant_by, value, accepted, wanted))
        return self.same(value, without_spelling(accepted))

    def _offers_choices(self, accepted: Mapping[str, Json], expected: Json) -> bool:
        """Whether the accepted object is {key: [values]}, as the leaderboard writes it, and not an object with lists.

        Where the expected value has a list that is none of the choices, it was meant as a list.
        """
        example: Mapping[str, Json] = expected if _is_object(expected) else {}
        return all(map(_is_list, accepted.values())) and not any(
            _is_list(example.get(key)) and not any(self.same(example[key], choice) for choice in choices)
            for key, choices in accepted.items()
        )

    def _chooses(self, value: Mapping[str, Json], offered: Mapping[str, Sequence[Json]], expected: Json) -> bool:
        example: Mapping[str, Json] = expected if _is_object(expected) else {}
        return value.keys() <= offered.keys() and all(
            any(self._is_meant_by(value[key], choice, example.get(key)) for choice in choices)
            if key in value
            else may_be_left_out(choices)
            for key, choices in offered.items()
        )


EXACT = Comparison()


def without_spelling(value: Json) -> Json:
    """Return the value with every text in it reduced to what is compared of it; keys stay."""
    if isinstance(value, str):
        return _without_text_spelling(value)
    if _is_list(value):
        return [without_spelling(part) for part in value]
    if _is_object(value):
        return {key: without_spelling(part) for key, part in value.items()}
    return value


def _without_text_spelling(text: str) -> str:
    """Drop case, spaces and `,./-_*^`, and take ' for ": the lenience of the Berkeley Function Calling Leaderboard.

    Unlike there, a number keeps its sign and its point: "-1.5" is not "15". Patil et al. (2025), The Berkeley Function
    Calling Leaderboard, ICML.
    """
    reduced = text.translate(_IGNORED_IN_TEXT).casefold()
    if reduced.isdecimal() and (number := _NUMBER.fullmatch(text.strip(" ,./_*^"))):
        return number[0]
    return reduced


def may_be_left_out(accepted: Sequence[Json]) -> bool:
    """Whether an empty text is among the accepted values: so the leaderboard marks what is optional."""
    return any(value == "" for value in accepted)


def _is_number(value: Json) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, list | tuple)


def _is_object(value: Json) -> TypeGuard[Mapping[str, Json]]:
    return isinstance(value, dict)
