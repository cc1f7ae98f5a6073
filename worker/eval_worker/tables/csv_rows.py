"""CSV with a header, as RFC 4180 has it. A row that is broken does not break those behind it."""

import csv
import json
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Self

from eval_worker.errors import SettingsError
from eval_worker.tables.columns import check_columns, nested
from eval_worker.tables.json_lines import BOM, skip_line
from eval_worker.tables.row import HEAD_BYTES, Row

_OTHER_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def read_csv(file: BinaryIO, *, max_bytes: int, source: str) -> Iterator[Row]:
    """Yield a row for each record below the header; blank lines are none.

    Raises:
        SettingsError: the header can't be used.
    """
    records = _Records(file, max_bytes)
    header = _read_header(records, source)
    number = 0
    while (cells := records.read()) is not None:
        if cells or records.problem:
            number += 1
            yield _row(number, header, cells, records)


def _read_header(records: "_Records", source: str) -> Sequence[str]:
    header = records.read() or []
    while not header and not records.problem and records.raw:  # blank lines
        header = records.read() or []
    problem = records.problem or _what_is_wrong_with(header)
    if problem:
        raise SettingsError(f"{source}: the header (the first line) can't be used: {problem}")
    return header


def _what_is_wrong_with(header: Sequence[str]) -> str | None:
    if not any(name.strip() for name in header):
        return "there is none"
    if not all(map(_is_text, header)):
        return "it is not UTF-8"
    for delimiter, name in _OTHER_DELIMITERS.items():
        if len(header) == 1 and delimiter in header[0]:
            return f"its columns are separated by {name}, not by commas"
    return check_columns(header)


def _row(number: int, header: Sequence[str], cells: Sequence[str], records: "_Records") -> Row:
    raw = records.raw.rstrip(b"\r\n")
    if records.is_too_large:
        return Row.too_large(number, raw, records.size, records.max_bytes)
    problem = records.problem
    if not problem and len(cells) != len(header):
        problem = f"has {len(cells)} cells where the header has {len(header)}"
    if not problem and not all(map(_is_text, cells)):
        problem = "is not UTF-8"
    if problem:
        return Row(number, raw, problem=problem)
    document = nested(zip(header, cells, strict=True))
    return Row(number, raw, json.dumps(document, ensure_ascii=False).encode(), document)


def _is_text(cell: str) -> bool:
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True


class _TooLarge(Exception):  # noqa: N818 (it ends a record, nobody outside sees it)
    pass


class _Records:
    """Reads one record's cells at a time and keeps the bytes that they were made of, up to a limit."""

    def __init__(self, file: BinaryIO, max_bytes: int) -> None:
        # The default of 128 KiB is less than a context may have, and a process has but one limit.
        csv.field_size_limit(max(max_bytes, csv.field_size_limit()))
        self.max_bytes = max_bytes
        self.raw = b""
        self.size = 0
        self.problem: str | None = None
        self._file = file
        self._at_start = True
        self._reader = csv.reader(self, strict=True)

    @property
    def is_too_large(self) -> bool:
        return self.size > self.max_bytes

    def read(self) -> list[str] | None:
        """Return the next record's cells, or None at the end. Where there is a `problem` they are not to be used."""
        self.raw, self.size, self.problem = b"", 0, None
        try:
            return next(self._reader)
        except csv.Error as error:
            self.problem = f"is not CSV: {error}"
        except _TooLarge:
            self.problem = "is too large"
        except StopIteration:
            return None
        return []

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        """Give the parser the next line. A quote that is never closed would have it swallow the file."""
        line = self._file.readline(self.max_bytes + len(BOM) + len(b"\r\n") + 1)
        if not line:
            raise StopIteration
        if self._at_start:
            line, self._at_start = line.removeprefix(BOM), False
        self.size += len(line.rstrip(b"\r\n") if self.raw == b"" else line)
        if not self.is_too_large:
            self.raw += line
            return line.decode(errors="surrogateescape")
        self.raw = (self.raw + line)[:HEAD_BYTES]
        if not line.endswith(b"\n"):
            self.size += skip_line(self._file)
        raise _TooLarge
