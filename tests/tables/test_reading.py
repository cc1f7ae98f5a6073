"""Records come out of files of any format, and whatever is none is a row that says why."""

import gzip
import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_worker.errors import EvalWorkerError, MissingExtraError, SettingsError
from eval_worker.tables.reading import Row, read_rows

MAX_BYTES = 1000


def rows_of(path: Path, content: bytes | str, *, max_bytes: int = MAX_BYTES) -> list[Row]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_rows(path, max_bytes=max_bytes))


def documents(rows: list[Row]) -> list[dict[str, Any] | None]:
    return [row.document for row in rows]


@pytest.fixture
def jsonl(tmp_path: Path) -> Callable[..., list[Row]]:
    return lambda content, **how: rows_of(tmp_path / "in.jsonl", content, **how)


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., list[Row]]:
    return lambda content, **how: rows_of(tmp_path / "in.csv", content, **how)


def test_a_line_is_a_record_and_blank_lines_are_counted(jsonl: Any):
    rows = jsonl('\n{"a": 1}\n   \n\r\n{"a": 2}')

    assert [(row.number, row.document) for row in rows] == [(2, {"a": 1}), (5, {"a": 2})]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"a": "\xff"}', "is not UTF-8 (byte 7)"),
        (b'{"a": 1', "is not JSON: EOF while parsing an object (character 7)"),
        (b"[1]", "must be a JSON object, not a list"),
        (b"null", "must be a JSON object, not null"),
        (b"3", "must be a JSON object, not a number"),
        (b'"x"', "must be a JSON object, not text"),
        (b"true", "must be a JSON object, not a boolean"),
        (b"\x00", "is not JSON: expected value (character 1)"),
        (b"[" * 900, "is not JSON: recursion limit exceeded (character 202)"),
    ],
)
def test_a_line_that_is_no_record_says_why_and_keeps_its_bytes(jsonl: Any, line: bytes, problem: str):
    before, bad, after = jsonl(b'{"a": 1}\n' + line + b'\n{"a": 2}\n')

    assert (bad.number, bad.document, bad.problem, bad.raw) == (2, None, problem, line)
    assert documents([before, after]) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_a_line_may_be_as_long_as_the_limit_and_no_longer(jsonl: Any, start: bytes, end: bytes):
    longest = b'{"a": "%s"}' % (b"x" * (MAX_BYTES - 9))

    assert jsonl(start + longest + end)[0].problem is None
    assert jsonl(start + longest + b" " + end)[0].problem == "is 1001 bytes, more than MAX_EVENT_BYTES (1000)"


@pytest.mark.parametrize("size", [1001, 1006, 200_000])
def test_of_a_line_that_is_too_large_the_size_is_told_and_the_beginning_kept(jsonl: Any, size: int):
    large, after = jsonl(b"x" * size + b'\r\n{"a": 2}\n')

    assert large.problem == f"is {size} bytes, more than MAX_EVENT_BYTES (1000)"
    assert large.raw == b"x" * min(size, 1006, 4096)
    assert large.truncated == (len(large.raw) < size)
    assert (after.number, after.document) == (2, {"a": 2})


def test_a_bom_is_no_part_of_the_first_record(jsonl: Any):
    assert documents(jsonl(b'\xef\xbb\xbf{"a": 1}\n')) == [{"a": 1}]


def test_stdin_is_read_as_json_lines(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b'{"a": 1}\n'))))  # type: ignore[arg-type]

    assert documents(list(read_rows("-", max_bytes=MAX_BYTES))) == [{"a": 1}]


@pytest.mark.parametrize(("name", "content"), [("in.jsonl.gz", '{"a": "1"}\n'), ("in.CSV.GZ", "a\n1\n")])
def test_a_file_may_be_zipped(tmp_path: Path, name: str, content: str):
    assert documents(rows_of(tmp_path / name, gzip.compress(content.encode()))) == [{"a": "1"}]


def test_dotted_columns_are_nested_and_plain_ones_belong_to_the_interaction(table: Any):
    (row,) = table(
        "event_id,user_query,answer,interaction.context,agent.name,human_scores.relevance,\n"
        'e-1,"Why, then?","line one\nline ""two""",because,bot,0.5,7\n'
    )

    assert row.document == {
        "event_id": "e-1",
        "interaction": {"user_query": "Why, then?", "answer": 'line one\nline "two"', "context": "because"},
        "agent": {"name": "bot"},
        "human_scores": {"relevance": "0.5"},
    }
    assert json.loads(row.payload) == row.document
    assert row.raw == b'e-1,"Why, then?","line one\nline ""two""",because,bot,0.5,7'


def test_an_empty_cell_is_an_absent_field_but_for_those_that_every_event_has(table: Any):
    (row,) = table("event_id,user_query,answer,context,agent.name,event_type\n,,,,,\n")

    assert row.document == {"event_id": "", "interaction": {"user_query": "", "answer": ""}}


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (b"1,2,3", "has 3 cells where the header has 2"),
        (b"1", "has 1 cells where the header has 2"),
        (b"1,\xff", "is not UTF-8"),
        (b'"1"x,2', "is not CSV: ',' expected after '\"'"),
        (b"1," + b"x" * 999, "is 1001 bytes, more than MAX_EVENT_BYTES (1000)"),
    ],
)
def test_a_broken_row_says_why_and_breaks_no_other(table: Any, record: bytes, problem: str):
    rows = table(b"a,b\r\n1,2\r\n" + record + b"\r\n\r\n3,4\r\n")

    assert [row.number for row in rows] == [1, 2, 3]
    assert (rows[1].problem, rows[1].raw) == (problem, record)
    assert documents([rows[0], rows[2]]) == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_a_quote_that_is_never_closed_does_not_swallow_the_file(table: Any):
    rows = table('a,b\n1,"2\n' + "3,4\n" * 1000)

    assert "more than MAX_EVENT_BYTES" in str(rows[0].problem)
    assert rows[-1].document == {"a": "3", "b": "4"}
    assert len(rows) > 700


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("", "there is none"),
        ("a;b;c", "separated by semicolons"),
        ("answer,interaction.answer", "more than one column stands for interaction.answer"),
        ("agent,agent.name", "agent and agent.name can't stand side by side"),
        ('"a', "is not CSV"),
    ],
)
def test_a_header_that_is_of_no_use_is_one_line(table: Any, header: str, says: str):
    with pytest.raises(SettingsError, match=says):
        table(f"{header}\n1,2\n" if header else "")


def test_a_cell_may_be_larger_than_what_the_csv_parser_takes_by_default(table: Any):
    (row,) = table("a\n" + "x" * 300_000 + "\n", max_bytes=400_000)

    assert row.document == {"a": "x" * 300_000}


def test_parquet_rows_are_records(tmp_path: Path):
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    columns = {
        "event_id": ["e-1", "e-2"],
        "answer": ["", None],
        "agent": [{"name": "bot"}, None],
        "human_scores.relevance": [0.5, None],
        "at": [moment, moment],
    }
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")

    first, second = read_rows(tmp_path / "in.parquet", max_bytes=MAX_BYTES)

    assert first.document == {
        "event_id": "e-1",
        "interaction": {"answer": ""},
        "agent": {"name": "bot"},
        "human_scores": {"relevance": 0.5},
        "at": moment,
    }
    assert second.document == {"event_id": "e-2", "at": moment}
    assert json.loads(second.raw) == {"event_id": "e-2", "at": str(moment)}


def test_a_parquet_row_that_is_too_large_is_none(tmp_path: Path):
    pq.write_table(pa.table({"a": ["x" * 2000, "y"]}), tmp_path / "in.parquet")

    large, small = read_rows(tmp_path / "in.parquet", max_bytes=MAX_BYTES)

    assert large.problem == "is 2009 bytes, more than MAX_EVENT_BYTES (1000)"
    assert small.document == {"a": "y"}


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("in.xlsx", b"", "the format is known by the end of the name"),
        ("in", b"", "the format is known by the end of the name"),
        ("in.parquet.gz", b"", "the format is known by the end of the name"),
        ("in.parquet", b"no", "can't be read as Parquet"),
        ("in.jsonl", '{"a": 1}'.encode("utf-16"), "is UTF-16: save it as UTF-8"),
        ("in.jsonl.gz", b"plain", "can't be read: Not a gzipped file"),
    ],
)
def test_a_file_that_can_not_be_read_is_one_line_with_its_name(tmp_path: Path, name: str, content: bytes, says: str):
    with pytest.raises(EvalWorkerError, match=says) as refusal:
        rows_of(tmp_path / name, content)
    assert str(tmp_path / name) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["none.jsonl", "none.csv", "none.parquet"])
def test_a_file_that_is_not_there_is_a_wrong_setting(tmp_path: Path, name: str):
    with pytest.raises(SettingsError, match="No such file"):
        list(read_rows(tmp_path / name, max_bytes=MAX_BYTES))


def test_a_directory_is_no_file(tmp_path: Path):
    (tmp_path / "in.jsonl").mkdir()
    with pytest.raises(SettingsError, match="Is a directory"):
        list(read_rows(tmp_path / "in.jsonl", max_bytes=MAX_BYTES))


def test_a_zipped_file_that_was_cut_off_gives_what_it_has_and_then_says_so(tmp_path: Path):
    path = tmp_path / "in.jsonl.gz"
    lines = b"".join(b'{"a": %d, "b": "%x"}\n' % (n, hash((n, "x"))) for n in range(2_000))
    path.write_bytes(gzip.compress(lines)[:-500])
    coming = read_rows(path, max_bytes=MAX_BYTES)

    assert next(coming).number == 1
    with pytest.raises(EvalWorkerError, match="ended before"):
        list(coming)


def test_without_pyarrow_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "eval_worker.tables.parquet_rows", raising=False)

    with pytest.raises(MissingExtraError, match=r"eval-worker\[parquet\]"):
        list(read_rows(tmp_path / "in.parquet", max_bytes=MAX_BYTES))
