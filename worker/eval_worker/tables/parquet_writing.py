"""Writes Parquet, a row group at a time."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (pyarrow ships no types)

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from eval_worker.tables.writing import Cells, Column

_ROWS_IN_GROUP = 10_000
_TYPES = {"text": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}


def write_parquet(path: Path, columns: "Sequence[Column]", rows: "Iterable[Cells]") -> None:
    schema = pa.schema([(column.name, _TYPES[column.kind]) for column in columns])
    coming = iter(rows)
    with pq.ParquetWriter(path, schema) as writer:
        while group := list(islice(coming, _ROWS_IN_GROUP)):
            writer.write_batch(pa.RecordBatch.from_pylist(group, schema=schema))
