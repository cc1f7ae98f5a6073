"""Counts the records of a file quickly, to show how far a reader is."""

import gzip
from pathlib import Path
from typing import BinaryIO, Literal, cast

from eval_worker.tables.reading import STANDARD_STREAM, table_format

_CHUNK = 1 << 20


def count_rows(path: Path | Literal["-"]) -> int | None:
    """Return about how many rows there are (blank lines count, too), or None where only reading can tell."""
    if path == STANDARD_STREAM:
        return None
    found = table_format(path)
    if found == "parquet":
        return _rows_of_parquet(Path(path))
    try:
        with Path(path).open("rb") as plain, gzip.open(plain) if _is_zipped(path) else plain as file:
            text = cast("BinaryIO", file)
            return _count_csv_rows(text) if found == "csv" else _count_lines(text)
    except (OSError, EOFError):
        return None


def _is_zipped(path: Path | str) -> bool:
    return Path(path).suffix.lower() == ".gz"


def _count_lines(file: BinaryIO) -> int:
    lines, last = 0, b"\n"
    while chunk := file.read(_CHUNK):
        lines += chunk.count(b"\n")
        last = chunk[-1:]
    return lines + (last != b"\n")


def _count_csv_rows(file: BinaryIO) -> int:
    """Count the line ends outside of quotes, the header's not."""
    rows, quoted = 0, False
    line = b"\n"
    while part := file.readline(_CHUNK):
        line = part
        quoted ^= bool(line.count(b'"') & 1)
        rows += line.endswith(b"\n") and not quoted
    return max(rows + (not line.endswith(b"\n")) - 1, 0)


def _rows_of_parquet(path: Path) -> int | None:
    from eval_worker.tables.parquet_rows import count_parquet_rows  # noqa: PLC0415 (an extra, and heavy)

    return count_parquet_rows(str(path))
