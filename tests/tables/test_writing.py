"""Flat tables are written whole or not at all."""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from eval_worker.errors import EvalWorkerError, MissingExtraError, SettingsError
from eval_worker.tables.writing import Column, check_writable, write_table

COLUMNS = (Column("n", "integer"), Column("x.score", "number"), Column("why", "text"), Column("ok", "boolean"))
ROWS: list[dict[str, Any]] = [
    {"n": 1, "x.score": 0.5, "why": 'a, "b"\nc', "ok": True},
    {"n": 2, "x.score": None, "why": "北京", "ok": False},
]


def test_csv_has_a_header_and_quotes_what_has_to_be_quoted():
    write_table(Path("out.csv"), COLUMNS, ROWS)

    with Path("out.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [
            ["n", "x.score", "why", "ok"],
            ["1", "0.5", 'a, "b"\nc', "True"],
            ["2", "", "北京", "False"],
        ]


@pytest.mark.parametrize("count", [0, 2, 10_001])
def test_parquet_has_its_types_whatever_the_rows_hold(count: int):
    write_table(Path("out.parquet"), COLUMNS, (ROWS[number % 2] for number in range(count)))

    table = pq.read_table("out.parquet")
    assert [str(field.type) for field in table.schema] == ["int64", "double", "string", "bool"]
    assert table.num_rows == count
    assert table.to_pylist()[:2] == ROWS[:count]


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_table_that_breaks_off_leaves_the_former_one(name: str):
    def breaking() -> Iterator[dict[str, Any]]:
        yield ROWS[0]
        raise OSError("disk full")

    Path(name).write_text("former")
    with pytest.raises(EvalWorkerError, match="can't be written: disk full"):
        write_table(Path(name), COLUMNS, breaking())

    assert Path(name).read_text() == "former"
    assert [path.name for path in Path().iterdir()] == [name]


def test_what_can_not_be_written_is_known_before(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(SettingsError, match="format"):
        check_writable(Path("out.xlsx"))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "eval_worker.tables.parquet_writing", raising=False)
    with pytest.raises(MissingExtraError):
        check_writable(Path("out.parquet"))
