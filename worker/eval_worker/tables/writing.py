"""Writes flat tables, CSV or Parquet, a few rows at a time."""

import csv
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from eval_worker.errors import EvalWorkerError, MissingExtraError
from eval_worker.tables.reading import table_format

Kind = Literal["text", "integer", "number", "boolean"]
Cells = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: Kind


def check_writable(path: Path) -> None:
    """Find out before the work is done whether the table can be written after it.

    Raises:
        SettingsError: the format is unknown.
        MissingExtraError: it is Parquet, and pyarrow is not installed.
    """
    if table_format(path) == "parquet":
        _parquet_writer(path)


def write_table(path: Path, columns: Sequence[Column], rows: Iterable[Cells]) -> None:
    """Write the table; a file that was there is replaced when the new one is whole.

    Raises:
        EvalWorkerError: it can't be written.
    """
    write: Callable[[Path, Sequence[Column], Iterable[Cells]], None]
    write = _parquet_writer(path) if table_format(path) == "parquet" else _write_csv
    with _replacing(path) as beside:
        write(beside, columns, rows)


def _write_csv(path: Path, columns: Sequence[Column], rows: Iterable[Cells]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [column.name for column in columns], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def _parquet_writer(path: Path) -> Callable[[Path, Sequence[Column], Iterable[Cells]], None]:
    try:
        from eval_worker.tables.parquet_writing import write_parquet  # noqa: PLC0415 (an extra, and heavy)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyarrow":
            raise
        raise MissingExtraError("parquet", str(path)) from error
    return write_parquet


@contextmanager
def _replacing(path: Path) -> Generator[Path]:
    beside = path.with_name(f"{path.name}.new")
    try:
        yield beside
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise EvalWorkerError(f"{path} can't be written: {error.strerror or error}") from error
