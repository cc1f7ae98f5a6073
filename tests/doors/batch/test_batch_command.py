"""`eval-worker batch` as people call it: every line has its place, and what is wrong is said in one line."""

import csv
import fcntl
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.doors.batch.batch_command import batch, judge
from tests.doors.batch.events_file import BAD_LINES, files_here, line_of, mixed_lines, records_in, write_lines
from tests.events import event, rubbish
from tests.failures.switchable_model import DENIED, SwitchableModel

from eval_worker.doors.batch.batch import Batch
from eval_worker.doors.batch.plan import BatchPlan
from eval_worker.errors import ModelUnavailableError
from eval_worker.evaluation.judges.model import ModelAnswer
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import read_judges

GOOD = line_of(event())
RUBBISH = line_of(rubbish())


def test_each_line_has_a_result_with_its_number_in_the_order_of_the_input():
    finished = judge([GOOD, b"", RUBBISH, GOOD])

    assert finished.code == 0
    assert [(each["line"], each["id"], each["verdict"]) for each in records_in(Path("out.jsonl"))] == [
        (1, "evt-001", "pass"),
        (3, "evt-002", "fail"),
        (4, "evt-001", "pass"),
    ]
    assert records_in(Path("out.jsonl.rejected.jsonl")) == []


def test_one_of_anything_is_said_to_be_one():
    seen = judge([RUBBISH]).err
    assert "1 line: 0 pass, 0 review, 1 fail, 0 rejected; 1 early exit, 0 partial" in seen
    assert "less than --fail-under" not in seen
    assert "of 1 line), less than --fail-under 1" in judge([RUBBISH], "--overwrite", "--fail-under", "1").err


def test_a_bad_line_is_kept_with_its_number_the_field_and_its_bytes():
    finished = judge([GOOD, *BAD_LINES])

    rejected = records_in(Path("out.jsonl.rejected.jsonl"))
    assert finished.code == 0
    assert [(each["line"], each["field"], each["reason"]) for each in rejected] == [
        (number, *why) for number, why in enumerate(BAD_LINES.values(), 2)
    ]
    assert rejected[0]["original_base64"] == "//4="
    assert [each["original"].encode() for each in rejected[1:]] == list(BAD_LINES)[1:]
    assert "8 lines were rejected; why is in out.jsonl.rejected.jsonl" in finished.err


def test_of_a_line_that_is_too_large_the_beginning_is_kept():
    judge([GOOD, b"x" * 2000], MAX_EVENT_BYTES="1000")

    (rejected,) = records_in(Path("out.jsonl.rejected.jsonl"))
    assert rejected["reason"] == "payload: is 2000 bytes, more than MAX_EVENT_BYTES (1000)"
    assert rejected["truncated"] is True


@pytest.mark.parametrize(
    ("lines", "arguments", "code"),
    [
        ([GOOD, b"{}"], [], 0),
        ([GOOD, b"{}"], ["--strict"], 1),
        ([GOOD], ["--strict"], 0),
        ([b"{}"], [], 1),
        ([], [], 0),
        ([GOOD, RUBBISH], ["--fail-under", "0.5"], 0),
        ([GOOD, RUBBISH], ["--fail-under", "0.51"], 1),
        ([GOOD, RUBBISH, b"{}"], ["--fail-under", "0.5"], 1),
        ([], ["--fail-under", "0.5"], 1),
    ],
)
def test_the_exit_code_is_what_a_gate_expects(lines: list[bytes], arguments: list[str], code: int):
    assert judge(lines, *arguments).code == code


def test_a_gate_that_is_missed_names_both_figures():
    finished = judge([GOOD, RUBBISH, b"{}"], "--fail-under", "0.5")

    assert "the pass rate is 0.3333 (`pass` for 1 of 3 lines), less than --fail-under 0.5" in finished.err


def test_as_completed_each_line_has_its_place_too():
    judge(mixed_lines(200), "--as-completed", "--workers", "4")

    numbers = [each["line"] for file in ("out.jsonl", "out.jsonl.rejected.jsonl") for each in records_in(Path(file))]
    assert sorted(numbers) == list(range(1, 201))


def test_an_output_that_is_there_is_neither_overwritten_nor_appended_to_unasked():
    judge([GOOD])
    before = Path("out.jsonl").read_bytes()

    finished = judge([GOOD, GOOD])

    assert finished.code == 2
    assert finished.err == (
        "eval-worker: out.jsonl is there already: --resume goes on with it, --overwrite begins anew\n"
    )
    assert Path("out.jsonl").read_bytes() == before
    assert judge([GOOD, GOOD], "--overwrite").code == 0
    assert [each["line"] for each in records_in(Path("out.jsonl"))] == [1, 2]


def test_an_overwritten_batch_keeps_nothing_of_the_former_one():
    judge([b"{}", GOOD])
    judge([GOOD], "--overwrite")

    assert Path("out.jsonl.rejected.jsonl").read_bytes() == b""


def test_a_batch_that_is_done_is_gone_on_with_without_a_model_and_changes_nothing():
    lines = mixed_lines(100)
    judge(lines, "--summary", "before.json")
    before = Path("out.jsonl").read_bytes()

    assert judge(lines, "--resume", "--summary", "after.json").code == 0

    assert Path("out.jsonl").read_bytes() == before
    first, second = (json.loads(Path(name).read_text()) for name in ("before.json", "after.json"))
    assert second.pop("this_run")["lines"] == 0
    assert first.pop("this_run")["lines"] == 100
    assert first == second


def test_the_first_run_may_say_resume_too():
    assert judge([GOOD], "--resume").code == 0
    assert len(records_in(Path("out.jsonl"))) == 1


@pytest.mark.parametrize("torn", [b'{"id":"evt-001","stages":[{"na', b"\0" * 5000, b"x" * 100_000])
@pytest.mark.parametrize("in_order", [[], ["--as-completed"]])
def test_what_was_being_written_when_it_was_killed_is_written_again(torn: bytes, in_order: list[str]):
    lines = [GOOD, b"{}", RUBBISH, b"[]", GOOD]
    judge(lines, *in_order)
    expected = [[each["line"] for each in records_in(Path(name))] for name in ("out.jsonl", "out.jsonl.rejected.jsonl")]
    for name, kept in (("out.jsonl", 1), ("out.jsonl.rejected.jsonl", 1), ("out.jsonl.progress", 1)):
        path = Path(name)
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:kept]) + torn)

    assert judge(lines, *in_order, "--resume").code == 0

    files = ("out.jsonl", "out.jsonl.rejected.jsonl")
    assert [[each["line"] for each in records_in(Path(name))] for name in files] == expected


def test_results_that_waited_for_their_turn_are_used_and_not_judged_again():
    lines = [line_of(event(f"e-{number}")) for number in range(4)]
    judge(lines)
    records = Path("out.jsonl").read_bytes().splitlines(keepends=True)
    progress = Path("out.jsonl.progress")
    marked = records[2].replace(b'"verdict":"pass"', b'"verdict":"review"')
    progress.write_bytes(progress.read_bytes() + marked + records[0])
    Path("out.jsonl").write_bytes(records[0])

    assert judge(lines, "--resume").code == 0

    written = records_in(Path("out.jsonl"))
    assert [each["line"] for each in written] == [1, 2, 3, 4]
    assert [each["verdict"] for each in written] == ["pass", "pass", "review", "pass"]
    assert len(progress.read_bytes().splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"lines": [GOOD, GOOD]}, "the input is not the one that it was begun with"),
        ({"arguments": ["--as-completed"]}, "it was begun in the order of the input"),
        (
            {"arguments": ["--rejected", "others.jsonl"]},
            "it was begun without --rejected, not with --rejected others.jsonl",
        ),
        ({"PASS_THRESHOLD": "0.9"}, "it was begun with PASS_THRESHOLD=0.8, not 0.9"),
        ({"JUDGE_CALLS": "combined"}, "it was begun with JUDGE_CALLS=separate, not combined"),
        ({"JUDGES_FILE": "own.yaml"}, "the judges are not the ones that it was begun with"),
    ],
)
def test_a_batch_is_not_gone_on_with_when_something_else_would_come_of_it(change: dict[str, Any], says: str):
    Path("own.yaml").write_text("judges: [{name: coherence, enabled: false}]")
    judge([GOOD])
    before = Path("out.jsonl").read_bytes()

    finished = judge(change.pop("lines", [GOOD]), "--resume", *change.pop("arguments", []), **change)

    assert finished.code == 2
    assert says in finished.err
    assert "--overwrite" in finished.err
    assert finished.err.count("\n") == 1
    assert Path("out.jsonl").read_bytes() == before


def test_a_batch_in_a_directory_that_was_moved_is_gone_on_with():
    Path("here/kept").mkdir(parents=True)
    write_lines(Path("here/in.jsonl"), [b"{}", GOOD])
    flags = ("--input", "here/in.jsonl", "--output", "here/out.jsonl", "--rejected", "here/kept/r.jsonl")
    batch(*flags)

    Path("here").rename("there")
    flags = tuple(each.replace("here/", str(Path.cwd() / "there") + "/") for each in flags)

    assert batch(*flags, "--resume").code == 0
    assert len(records_in(Path("there/kept/r.jsonl"))) == 1


def test_the_number_of_workers_may_change_between_runs():
    judge([GOOD])
    assert judge([GOOD], "--resume", "--workers", "3").code == 0


def test_an_output_of_somebody_else_is_not_gone_on_with():
    Path("out.jsonl").write_text('{"mine": 1}\n')
    assert "--resume: out.jsonl is there, but not out.jsonl.progress" in judge([GOOD], "--resume").err

    Path("out.jsonl").unlink()
    judge([GOOD])
    Path("out.jsonl").write_text('{"mine": 1}\n')
    assert "out.jsonl holds a line that no batch wrote" in judge([GOOD], "--resume").err


def test_the_summary_tells_of_every_stage_and_agent():
    other = {**event("e-2"), "agent": {"name": "other"}}
    judge([GOOD, RUBBISH, line_of(other), b"{}"], "--summary", "s.json")

    summary = json.loads(Path("s.json").read_text())
    assert summary["complete"] is True
    assert (summary["lines"], summary["judged"], summary["rejected"], summary["early_exits"]) == (4, 3, 1, 1)
    assert summary["verdicts"] == {"pass": 2, "review": 0, "fail": 1}
    assert summary["pass_rate"] == 0.5
    assert summary["rejected_by_field"] == {"event_id": 1}
    assert summary["usage"]["cost_usd"] is None
    assert {agent["name"]: agent["judged"] for agent in summary["agents"]} == {"my-agent": 2, "other": 1}
    stages = {stage["name"]: stage for stage in summary["stages"]}
    assert stages["length-checker"]["scored"] == 3
    assert stages["relevance-judge"]["scored"] == 2
    assert set(stages["relevance-judge"]) >= {"mean", "p50", "p90", "p99", "not_applicable", "unscored"}


def test_a_second_batch_on_the_same_output_is_refused_while_the_first_runs():
    with Path("out.jsonl").open("ab") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        finished = judge([GOOD], "--resume")

    assert (finished.code, finished.err) == (1, "eval-worker: out.jsonl is being written by another process\n")


def test_a_model_that_stays_away_ends_it_with_what_was_done_kept():
    lines = [RUBBISH, *[line_of(event(f"e-{number}")) for number in range(20)], RUBBISH]
    write_lines(Path("in.jsonl"), lines)
    plan = BatchPlan(Path("in.jsonl"), Path("out.jsonl"), resume=True)
    settings = load_settings(judge_model="offline", concurrency=2)
    judges = read_judges(settings)

    class Failing(SwitchableModel):
        async def ask(self, request: JudgeRequest) -> ModelAnswer:
            if self.calls >= 5 * 5:
                self.failure = DENIED
            return await super().ask(request)

    with pytest.raises(ModelUnavailableError, match="what was judged is kept: --resume goes on with it"):
        Batch(plan, settings, judges, Failing(), patience_seconds=0).run()
    kept = [each["line"] for each in records_in(Path("out.jsonl"))]
    assert 2 <= len(kept) < 21
    assert {each["verdict"] for each in records_in(Path("out.jsonl"))} == {"pass", "fail"}
    mended = SwitchableModel()
    assert Batch(plan, settings, judges, mended).run() == 0
    assert [each["line"] for each in records_in(Path("out.jsonl"))] == list(range(1, 23))
    assert mended.calls <= 5 * (20 - len(kept) + 1)


def test_a_pipe_is_read_and_written():
    finished = batch("--input", "-", "--output", "-", stdin=GOOD + b"\n{}\n")

    assert [json.loads(line)["line"] for line in finished.lines] == [1]
    assert json.loads(finished.err.splitlines()[0])["reason"] == "event_id: is required"
    assert files_here() == []


def test_a_device_is_written_to_without_files_beside_it():
    write_lines(Path("in.jsonl"), [GOOD])

    assert batch("--input", "in.jsonl", "--output", "/dev/null").code == 0
    assert not list(Path("/dev").glob("null.*"))


def test_a_full_disk_is_one_line():
    write_lines(Path("in.jsonl"), [GOOD])

    finished = batch("--input", "in.jsonl", "--output", "/dev/full")

    assert finished.code == 1
    assert finished.err == "eval-worker: /dev/full: No space left on device\n"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_output_may_be_a_table(suffix: str):
    write_lines(Path("in.jsonl"), [GOOD, b"{}", RUBBISH])

    assert batch("--input", "in.jsonl", "--output", f"out.{suffix}").code == 0

    table = Path(f"out.{suffix}")
    rows: list[dict[str, Any]]
    rows = list(csv.DictReader(table.read_text().splitlines())) if suffix == "csv" else pq.read_table(table).to_pylist()
    assert [(int(row["line"]), row["id"], row["verdict"]) for row in rows] == [
        (1, "evt-001", "pass"),
        (3, "evt-002", "fail"),
    ]
    assert float(rows[0]["relevance-judge.score"]) > 0.9
    assert rows[1]["relevance-judge.score"] in {"", None}
    assert rows[0]["agent.name"] == "my-agent"
    assert [each["line"] for each in records_in(Path(f"out.{suffix}.jsonl"))] == [1, 3]
    assert batch("--input", "in.jsonl", "--output", f"out.{suffix}", "--resume").code == 0


def test_the_input_may_be_a_table():
    Path("in.csv").write_text("event_id,user_query,answer,context,agent.name\ne-1,What is AI?,ok,,bot\n,q,a,,\n")

    assert batch("--input", "in.csv", "--output", "out.jsonl").code == 0

    (result,) = records_in(Path("out.jsonl"))
    (rejected,) = records_in(Path("out.jsonl.rejected.jsonl"))
    assert (result["line"], result["id"], result["agent"]["name"]) == (1, "e-1", "bot")
    assert (rejected["line"], rejected["reason"], rejected["original"]) == (2, "event_id: must not be empty", ",q,a,,")
