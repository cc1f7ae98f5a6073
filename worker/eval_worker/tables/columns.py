"""Flat columns and the nested records that they stand for."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_PLAIN = {name: f"interaction.{name}" for name in ("user_query", "answer", "context")}
_MAY_BE_EMPTY = frozenset({"event_id", "interaction.user_query", "interaction.answer"})


def field_of(column: str) -> str:
    """Return the dotted path that a column stands for: `answer` is short for `interaction.answer`."""
    name = column.strip()
    return _PLAIN.get(name, name)


def check_columns(columns: Sequence[str]) -> str | None:
    """Say why these columns can't be read as one record a row, or None where they can."""
    fields = [field for column in columns if (field := field_of(column))]
    for field in fields:
        if fields.count(field) > 1:
            return f"more than one column stands for {field}"
        if inside := next((other for other in fields if other.startswith(f"{field}.")), None):
            return f"the columns {field} and {inside} can't stand side by side"
    return None


def nested(cells: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Make a record of (column, value) pairs.

    A cell that is empty is left out, as are columns without a name, but for the fields that every event has: their
    emptiness means something.
    """
    record: dict[str, Any] = {}
    for column, value in cells:
        field = field_of(column)
        if not field or value is None or (value == "" and field not in _MAY_BE_EMPTY):
            continue
        *parents, name = field.split(".")
        inner = record
        for parent in parents:
            inner = inner.setdefault(parent, {})
        inner[name] = value
    return record


def flat(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Make columns of a record: what is nested gets a dotted name."""
    columns: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            columns.update(flat(value, f"{prefix}{name}."))  # pyright: ignore[reportUnknownArgumentType]
        else:
            columns[f"{prefix}{name}"] = value
    return columns
