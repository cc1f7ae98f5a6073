"""What is written for one line of the input: a result, or why there is none."""

import base64
from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from eval_worker.result import Result

_OMITTED: Any = Field(default=None, exclude_if=lambda value: value is None)


@dataclass(frozen=True, slots=True)
class Line:
    """Where an event stands in the input, and its bytes there."""

    number: int
    raw: bytes
    truncated: bool = False

    def __str__(self) -> str:
        return str(self.number)


class LineResult(Result):
    """A result, and the line (of a table: the row) of the input that it belongs to."""

    line: int

    @classmethod
    def of(cls, number: int, result: Result) -> Self:
        return cls.model_construct(**dict(result), line=number)

    def as_json(self) -> bytes:
        return self.model_dump_json(by_alias=True).encode()


class Rejection(BaseModel):
    """Why a line has no result. `field` is the wrong one, or null where the judges failed.

    The original is kept as text, or as base64 where it is not UTF-8; of a line that is too large only the beginning.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    line: int
    field: str | None
    reason: str
    original: str | None = _OMITTED
    original_base64: str | None = _OMITTED
    truncated: bool = Field(default=False, exclude_if=lambda value: not value)

    @classmethod
    def of(cls, line: Line, field: str | None, reason: str) -> Self:
        try:
            text, encoded = line.raw.decode(), None
        except UnicodeDecodeError:
            text, encoded = None, base64.b64encode(line.raw).decode()
        return cls(
            line=line.number,
            field=field,
            reason=reason,
            original=text,
            original_base64=encoded,
            truncated=line.truncated,
        )

    def as_json(self) -> bytes:
        return self.model_dump_json().encode()
