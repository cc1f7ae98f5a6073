"""Whether one JSON value is another: exact, but for a tolerance on numbers and lenience with accepted text."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeGuard

from eval_worker.agentic.tools.json_value import Json

_IGNORED_IN_TEXT = str.maketrans({"'": '"'} | dict.fromkeys(" ,./-_*^"))
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?", re.ASCII)


def _as_it_is(text: str) -> str:
    return text


def lenient_text(text: str) -> str:
    """Drop case, spaces and `,./-_*^`, and take ' for ": the lenience of the Berkeley Function Calling Leaderboard.

    Unlike there, a number keeps its sign and its point: "-1.5" is not "15". Patil et al. (2025), The Berkeley Function
    Calling Leaderboard, ICML.
    """
    stripped = text.strip(" ,./_*^")
    return stripped if _NUMBER.fullmatch(stripped) else text.translate(_IGNORED_IN_TEXT).casefold()


@dataclass(frozen=True, slots=True)
class Comparison:
    """JSON's semantics: true is not 1, 1 is not "1", 1 is 1.0, null is a value; lists by place, objects by key.

    `tolerance` is the largest distance between two numbers that pass for one; `text` what is compared of a text.
    """

    tolerance: float = 0.0
    text: Callable[[str], str] = _as_it_is

    def same(self, one: Json, other: Json) -> bool:
        if isinstance(one, str) and isinstance(other, str):
            return one == other or self.text(one) == self.text(other)
        if _is_number(one) and _is_number(other):
            return self._same_number(one, other)
        if _is_list(one) and _is_list(other):
            return len(one) == len(other) and all(map(self.same, one, other))
        if _is_object(one) and _is_object(other):
            return one.keys() == other.keys() and all(self.same(one[key], other[key]) for key in one)
        return type(one) is type(other) and one == other  # null and booleans

    def _same_number(self, one: float, other: float) -> bool:
        if one == other or (math.isnan(one) and math.isnan(other)):
            return True
        if not self.tolerance or not (math.isfinite(one) and math.isfinite(other)):
            return False
        # By the digits as they are written: 1.1 is 0.1 away from 1, which binary fractions deny.
        return abs(_written(one) - _written(other)) <= _written(self.tolerance)

    def accepts(self, value: Json, accepted: Sequence[Json], expected: Json) -> bool:
        """Whether the value is one of those accepted, or the expected one."""
        return self.same(value, expected) or any(self._is_meant_by(value, each, expected) for each in accepted)

    def _is_meant_by(self, value: Json, accepted: Json, expected: Json) -> bool:
        if _is_object(value) and _is_object(accepted):
            if self._offers_choices(accepted, expected):
                return self._chooses(value, accepted, expected)
        elif _is_list(value) and _is_list(accepted):
            wanted = expected if _is_list(expected) and len(expected) == len(accepted) else [None] * len(accepted)
            return len(value) == len(accepted) and all(map(self._is_meant_by, value, accepted, wanted))
        return self.same(value, accepted)

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


def may_be_left_out(accepted: Sequence[Json]) -> bool:
    """Whether an empty text is among the accepted values: so the leaderboard marks what is optional."""
    return any(value == "" for value in accepted)


def _is_number(value: Json) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, list | tuple)


def _is_object(value: Json) -> TypeGuard[Mapping[str, Json]]:
    return isinstance(value, dict)


def _written(number: float) -> Decimal:
    return Decimal(number) if isinstance(number, int) else Decimal(repr(number))
