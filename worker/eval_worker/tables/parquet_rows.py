"""Parquet: a few rows are held at a time, and one column chunk of each column."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (pyarrow ships no types)

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from eval_worker.errors import SettingsError
from eval_worker.tables.columns import check_columns, nested
from eval_worker.tables.row import Row

_ROWS_AT_ONCE = 256


def read_parquet(path: str, *, max_bytes: int) -> Iterator[Row]:
    """Yield the table's rows.

    Raises:
        SettingsError: it is not Parquet, or its columns can't be used.
    """
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            if problem := check_columns(file.schema_arrow.names):
                raise SettingsError(f"{path}: {problem}")
            number = 0
            for batch in file.iter_batches(_ROWS_AT_ONCE):
                columns: list[dict[str, Any]] = batch.to_pylist()
                for cells in columns:
                    number += 1
                    yield _row(number, cells, max_bytes)
    except pa.ArrowException as error:
        raise SettingsError(f"{path} can't be read as Parquet: {str(error).splitlines()[0]}") from error


def _row(number: int, cells: dict[str, Any], max_bytes: int) -> Row:
    document = nested(cells.items())
    # Times and decimals have no JSON of their own.
    payload = json.dumps(document, ensure_ascii=False, default=str).encode(errors="replace")
    if len(payload) > max_bytes:
        return Row.too_large(number, payload, len(payload), max_bytes)
    return Row(number, payload, payload, document)


def count_parquet_rows(path: str) -> int | None:
    try:
        return int(pq.read_metadata(path).num_rows)
    except (pa.ArrowException, OSError):
        return None
