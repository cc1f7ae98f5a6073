"""What arguments are made of: JSON values, neither too deep nor too long to be compared and shown."""

from collections.abc import Iterable
from typing import Any, cast

DEEPEST = 64
LARGEST_INTEGER_BITS = 1023  # what a float can hold

Json = Any
"""None, bool, int, float, str, a list of such values or a dict of them by text; a tuple passes for a list."""


def check_json(value: Json) -> Json:
    """Return the value as it is.

    Raises:
        ValueError: it is not JSON, is nested more than DEEPEST levels deep, or holds a number of hundreds of digits.
    """
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return value
    raise ValueError(f"is nested more than {DEEPEST} levels deep")


def size(value: Json, *, long_text_as: int = 1) -> int:
    """Count the values in a value, itself included; of text each thousand characters for so many more."""
    total = 0
    level: list[Json] = [value]
    while level:
        total += sum(1 + len(each) * long_text_as // 1000 if isinstance(each, str) else 1 for each in level)
        level = [part for each in level for part in _parts(each)]
    return total


def _parts(value: Json) -> Iterable[Json]:
    match value:
        case None | bool() | float() | str():
            return ()
        case int():
            if value.bit_length() > LARGEST_INTEGER_BITS:
                raise ValueError("holds a number of hundreds of digits")
            return ()
        case list() | tuple():
            return cast("Iterable[Json]", value)
        case dict():
            mapping = cast("dict[object, Json]", value)
            if not all(isinstance(key, str) for key in mapping):
                raise ValueError("holds a key that is not text")
            return mapping.values()
        case _:
            raise ValueError(f"holds a {type(value).__name__}, which is no JSON value")
