"""One record of a file, or what stands where a record should."""

import re
from dataclasses import dataclass
from typing import Any, Self, cast

from pydantic_core import from_json

HEAD_BYTES = 4096  # what is kept of a record that is too large
_POSITION = re.compile(r" at line \d+ column (\d+)$")


@dataclass(frozen=True, slots=True)
class Row:
    """`number` is the line of a JSONL file, or the row of a table (the first below the header is 1).

    Either `document` is there, and `payload` is the same as JSON; or `problem` says why it is no record. `raw` is what
    stood in the file: the bytes of the line or lines, and for Parquet, which has none, the row as JSON. Of what is too
    large only the first bytes are kept: `truncated` says so.
    """

    number: int
    raw: bytes
    payload: bytes = b""
    document: dict[str, Any] | None = None
    problem: str | None = None
    truncated: bool = False

    @classmethod
    def from_json(cls, number: int, raw: bytes) -> Self:
        """Read one JSON object. The parser is the one that events are decoded with."""
        try:
            document: object = from_json(raw)
        except ValueError as error:
            return cls(number, raw, problem=_not_json(raw, error))
        if not isinstance(document, dict):
            return cls(number, raw, problem=f"must be a JSON object, not {_kind(document)}")
        return cls(number, raw, raw, cast("dict[str, Any]", document))

    @classmethod
    def too_large(cls, number: int, head: bytes, size: int, max_bytes: int) -> Self:
        problem = f"is {size} bytes, more than MAX_EVENT_BYTES ({max_bytes})"
        kept = head[:HEAD_BYTES]
        return cls(number, kept, problem=problem, truncated=len(kept) < size)


def _not_json(raw: bytes, error: ValueError) -> str:
    try:
        raw.decode()
    except UnicodeDecodeError as problem:
        return f"is not UTF-8 (byte {problem.start})"
    return "is not JSON: " + _POSITION.sub(r" (character \1)", str(error))


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case _:
            return "a list"
