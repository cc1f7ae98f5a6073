"""Rows are counted as they are read, without being read."""

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_worker.tables.counting import count_rows


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        ("in.jsonl", "", 0),
        ("in.jsonl", "{}\n{}\n", 2),
        ("in.jsonl", "{}\n{}", 2),
        ("in.csv", "a,b\n", 0),
        ("in.csv", "a,b\n1,2\n3,4", 2),
        ("in.csv", 'a,b\n1,"2\n\n""3"""\n4,5\n', 2),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_rows_are_counted(name: str, content: str, rows: int, zipped: bool):
    path = Path(name + ".gz" if zipped else name)
    path.write_bytes(gzip.compress(content.encode()) if zipped else content.encode())

    assert count_rows(path) == rows


def test_parquet_says_itself_how_many_there_are():
    pq.write_table(pa.table({"a": [1, 2, 3]}), "in.parquet")
    assert count_rows(Path("in.parquet")) == 3


def test_of_a_pipe_or_a_file_that_is_not_there_nobody_knows():
    assert count_rows("-") is None
    assert count_rows(Path("none.jsonl")) is None
    assert count_rows(Path("none.parquet")) is None
