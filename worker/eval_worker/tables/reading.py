"""Reads records from a file of any format that is known here, in constant memory."""

import gzip
import io
import sys
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, cast

from eval_worker.errors import EvalWorkerError, MissingExtraError, SettingsError
from eval_worker.tables.csv_rows import read_csv
from eval_worker.tables.json_lines import read_json_lines
from eval_worker.tables.row import Row

__all__ = ["STANDARD_STREAM", "Row", "TableFormat", "check_readable", "open_records", "read_rows", "table_format"]

STANDARD_STREAM = "-"
TableFormat = Literal["jsonl", "csv", "parquet"]

_FORMATS: dict[str, TableFormat] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def table_format(path: Path | Literal["-"]) -> TableFormat:
    """Return the format that a name's suffix stands for; `-` is JSON lines.

    Raises:
        SettingsError: there is no such format.
    """
    if path == STANDARD_STREAM:
        return "jsonl"
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    zipped = suffixes[-1:] == [".gz"]
    suffix = "".join(suffixes[-2:-1] if zipped else suffixes[-1:])
    found = _FORMATS.get(suffix)
    if found is None or (zipped and found == "parquet"):
        known = ".jsonl, .ndjson, .json or .csv (each also as .gz), or .parquet"
        raise SettingsError(f"{path}: the format is known by the end of the name, which must be {known}")
    return found


def read_rows(path: Path | Literal["-"], *, max_bytes: int) -> Iterator[Row]:
    """Yield every record of the file, and every line that is none; `-` is stdin as JSON lines.

    Raises:
        SettingsError: there is no such file, its format is unknown, it is not of that format.
        MissingExtraError: it is Parquet, and pyarrow is not installed.
        EvalWorkerError: it can't be read to its end.
    """
    found = table_format(path)
    if found == "parquet":
        return _parquet(Path(path), max_bytes)
    return _text(path, found, max_bytes)


def check_readable(path: Path, *, max_bytes: int) -> None:
    """Find out before anything is written whether the file is what its name says, by its first record.

    Raises:
        SettingsError: as `read_rows` does.
        MissingExtraError: as `read_rows` does.
        EvalWorkerError: as `read_rows` does.
    """
    next(read_rows(path, max_bytes=max_bytes), None)


def _text(path: Path | Literal["-"], found: TableFormat, max_bytes: int) -> Iterator[Row]:
    with open_records(path) as file:
        if found == "csv":
            yield from read_csv(file, max_bytes=max_bytes, source=str(path))
        else:
            yield from read_json_lines(file, max_bytes=max_bytes)


def _parquet(path: Path, max_bytes: int) -> Iterator[Row]:
    try:
        from eval_worker.tables.parquet_rows import read_parquet  # noqa: PLC0415 (an extra, and heavy)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyarrow":
            raise
        raise MissingExtraError("parquet", str(path)) from error
    with open_records(path):  # for the reasons why it might not be
        pass
    yield from read_parquet(str(path), max_bytes=max_bytes)


@contextmanager
def open_records(path: Path | Literal["-"]) -> Generator[BinaryIO]:
    """Open the file (`-` is stdin), unzipped; what goes wrong with it while it is read is one line.

    Raises:
        SettingsError: there is no such file, or it is not UTF-8.
        EvalWorkerError: it can't be read to its end.
    """
    if path == STANDARD_STREAM:
        # Not the reader that is there: Python can't end while a thread waits in it.
        reader = io.BufferedReader(cast("io.BufferedReader[io.RawIOBase]", sys.stdin.buffer).raw)
        yield reader
        reader.detach()
        return
    try:
        with _open(Path(path)) as file:
            yield file
    except (OSError, EOFError, zlib.error) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        kind = (
            SettingsError
            if isinstance(error, FileNotFoundError | IsADirectoryError | PermissionError)
            else EvalWorkerError
        )
        raise kind(f"{path} can't be read: {why}") from error


@contextmanager
def _open(path: Path) -> Generator[BinaryIO]:
    with path.open("rb") as plain, gzip.open(plain) if path.suffix.lower() == ".gz" else plain as file:
        start = cast("BinaryIO", file).peek(2)[:2]  # type: ignore[attr-defined]
        if start in _UTF_16:
            raise SettingsError(f"{path} is UTF-16: save it as UTF-8")
        yield cast("BinaryIO", file)
