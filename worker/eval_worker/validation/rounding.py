"""Figures as they stand in a document: the thirteenth digit of a correlation says nothing."""

from collections.abc import Mapping
from typing import Any

_DIGITS = 6


def rounded(value: Any) -> Any:
    """Round every float in a document, however deep; tuples become lists."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, Mapping):
        return {str(name): rounded(inner) for name, inner in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value
