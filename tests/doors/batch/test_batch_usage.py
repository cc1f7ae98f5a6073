"""What `eval-worker batch` refuses before it begins: in one line, and nothing is written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.doors.batch.batch_command import batch
from tests.doors.batch.events_file import files_here, line_of, write_lines
from tests.events import event

GOOD = line_of(event())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--input", "in.jsonl"], "Missing option '--output' (or --dry-run)."),
        (["--input", "none.jsonl", "--output", "o.jsonl"], "none.jsonl can't be read: No such file or directory"),
        (["--input", "in.jsonl", "--output", "o.xlsx"], "o.xlsx: the format is known by the end of the name"),
        (["--input", "in.jsonl", "--output", "o.jsonl.gz"], "what is zipped can't be appended to"),
        (["--input", "pipe.jsonl", "--output", "o.jsonl"], "pipe.jsonl is no file: it can't be read twice; use -"),
        (["--input", "bad.csv", "--output", "o.jsonl"], "separated by semicolons, not by commas\n"),
        (["--input", "bad.parquet", "--output", "o.jsonl"], "bad.parquet can't be read as Parquet"),
        (["--input", "in.jsonl", "--output", "o.jsonl", "--summary", "no/s.json"], "there is no directory no"),
        (
            ["--input", "in.jsonl", "--output", "o.jsonl", "--summary", "/proc/s.json"],
            "--summary /proc/s.json can't be written: ",
        ),
        (["--input", "in.jsonl", "--output", "no/o.jsonl"], "no/o.jsonl can't be written: No such file or directory"),
        (["--input", "in.jsonl", "--output", "./in.jsonl"], "in.jsonl can't be --input and --output at once"),
        (["--input", "in.jsonl", "--output", "o.jsonl", "--summary", "o.jsonl"], "can't be --output and --summary"),
        (["--input", "-", "--output", "o.jsonl", "--resume"], "--resume needs an input that can be read again"),
        (["--input", "in.jsonl", "--output", "-", "--resume"], "--resume needs an output that can be read again"),
        (["--input", "in.jsonl", "--output", "o.jsonl", "--resume", "--overwrite"], "choose one"),
        (["--input", "in.jsonl", "--output", "o.jsonl", "--fail-under", "80"], "80.0 is not in the range 0<=x<=1"),
        (["--input", "in.jsonl", "--output", "o.jsonl", "--workers", "0"], "0 is not in the range 1<=x<=1024"),
    ],
)
def test_wrong_usage_is_said_in_a_line_and_writes_nothing(arguments: list[str], says: str):
    write_lines(Path("in.jsonl"), [GOOD])
    Path("bad.csv").write_text("event_id;answer\n1;2\n")
    Path("bad.parquet").write_text("PAR1")
    os.mkfifo("pipe.jsonl")
    before = files_here()

    finished = batch(*arguments)

    assert finished.code == 2
    assert says in finished.err
    assert files_here() == before


def test_without_the_extra_for_parquet_nothing_is_begun():
    Path("in.parquet").write_bytes(b"PAR1")
    blocked = "import sys; sys.modules['pyarrow'] = None; from eval_worker.cli import main; main()"
    arguments = ["--input", "in.parquet", "--output", "out.jsonl", "--judge-model", "offline"]

    done = subprocess.run(
        [sys.executable, "-c", blocked, "batch", *arguments], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "pip install 'eval-worker[parquet]'" in done.stderr
    assert files_here() == ["in.parquet"]


def test_without_credentials_nothing_is_begun():
    write_lines(Path("in.jsonl"), [GOOD])

    finished = batch("--input", "in.jsonl", "--output", "out.jsonl", environment={"JUDGE_MODEL": "bedrock"})

    assert finished.code == 2
    assert files_here() == ["in.jsonl"]
