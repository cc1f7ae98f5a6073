"""Lines with whole conversations, among those with one answer each."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from tests.command_line import Finished, run
from tests.doors.batch.events_file import line_of, records_in, write_lines
from tests.events import GOOD_ANSWER, conversations, event

from eval_worker.agentic.correctness import correctness_judges

WRONG = "The capital of France is Lyon."
INPUT, OUTPUT = Path("in.jsonl"), Path("out.jsonl")


def no_query() -> dict[str, Any]:
    document = conversations()
    del document["datasets"][0]["conversation"][0]["query"]
    return document


LINES = [
    line_of(event("answer")),
    line_of(conversations("mixed", GOOD_ANSWER, GOOD_ANSWER, WRONG, k=3)),
    line_of(no_query()),
    line_of(conversations("right")),
]


def batch(*arguments: str, **environment: str) -> Finished:
    write_lines(INPUT, LINES)
    given = {"JUDGE_MODEL": "offline", **environment}
    return run("eval_worker", "batch", "--input", str(INPUT), *arguments, environment=given)


def aggregated(result: dict[str, Any]) -> dict[str, Any]:
    return result["agentic"]["aggregated_metrics"]


def test_each_has_its_verdict_and_its_figures_and_a_bad_one_its_reason():
    finished = batch("--output", str(OUTPUT), "--summary", "summary.json", RESULTS_INCLUDE_INTERACTION="true")

    answer, mixed, right = records_in(OUTPUT)
    (rejected,) = records_in(Path("out.jsonl.rejected.jsonl"))
    assert finished.code == 0
    assert [(each["line"], each["verdict"]) for each in (answer, mixed, right)] == [
        (1, "pass"),
        (2, "review"),
        (4, "pass"),
    ]
    assert ("interaction" in answer, "interaction" in mixed) == (True, False)
    assert ("agentic" in answer, round(aggregated(mixed)["pass_at_k"], 4)) == (False, 0.963)
    assert rejected["reason"] == "datasets.0.conversation.0.query: is required"


def test_the_summary_counts_interactions_as_judgements_and_lines_as_lines():
    finished = batch("--output", str(OUTPUT), "--summary", "summary.json")

    summary = json.loads(Path("summary.json").read_text())
    (correctness,) = [stage for stage in summary["stages"] if stage["name"] == "correctness-judge"]
    assert (summary["lines"], summary["judged"], summary["conversations"]) == (4, 3, 4)
    assert (correctness["scored"], correctness["unscored"]) == (4, 0)
    assert summary["verdicts"] == {"pass": 2, "review": 1, "fail": 0}
    assert "0 partial; 4 conversations" in finished.err


def test_a_table_has_the_figures_of_all_conversations_together_and_no_stage_of_one():
    batch("--output", "out.csv")
    batch("--output", "out.parquet")

    rows = list(csv.DictReader(io.StringIO(Path("out.csv").read_text(encoding="utf-8"))))
    figures = [row["agentic.aggregated_metrics.conversation_success_rate"] for row in rows]
    assert figures == ["", str(2 / 3), "1.0"]
    assert [row["relevance-judge.score"] != "" for row in rows] == [True, False, False]
    assert "correctness-judge.score" not in rows[0]
    typed = pq.read_table("out.parquet").to_pylist()
    assert [row["agentic.aggregated_metrics.k"] for row in typed] == [None, 3, 3]


def test_a_judge_of_the_users_own_called_correctness_has_no_say_in_conversations():
    levels = ", ".join(f"{level}: l{level}" for level in range(6))
    judge = f'judges:\n  - {{name: correctness, question: "Is it right?", levels: {{{levels}}}}}\n'
    Path("judges.yaml").write_text(judge, encoding="utf-8")

    batch("--output", "out.csv", JUDGES_FILE="judges.yaml")

    rows = list(csv.DictReader(io.StringIO(Path("out.csv").read_text(encoding="utf-8"))))
    assert [row["correctness-judge.reason"] != "" for row in rows] == [True, False, False]


def test_a_table_without_conversations_has_no_columns_for_them():
    write_lines(Path("answers.jsonl"), LINES[:1])
    arguments = ("batch", "--input", "answers.jsonl", "--output", "out.csv", "--judge-model", "offline")

    assert run("eval_worker", *arguments).code == 0

    assert "agentic" not in Path("out.csv").read_text(encoding="utf-8").splitlines()[0]


def test_a_run_that_was_killed_goes_on_after_a_conversation():
    batch("--output", str(OUTPUT))
    whole = OUTPUT.read_bytes().splitlines(keepends=True)
    OUTPUT.write_bytes(b"".join(whole[:2]))

    finished = batch("--output", str(OUTPUT), "--resume", "--summary", "summary.json")

    assert finished.code == 0
    assert [each["id"] for each in records_in(OUTPUT)] == ["answer", "mixed", "right"]
    assert OUTPUT.read_bytes().splitlines(keepends=True)[:2] == whole[:2]
    assert json.loads(Path("summary.json").read_text())["conversations"] == 4


def test_a_run_begun_with_another_correctness_judge_is_not_gone_on_with():
    batch("--output", str(OUTPUT))
    progress = Path("out.jsonl.progress")
    progress.write_text(progress.read_text().replace(correctness_judges().digest, "sha256:another"))

    finished = batch("--output", str(OUTPUT), "--resume")

    assert finished.code == 2
    assert "the judges are not the ones that it was begun with" in finished.err


def test_a_dry_run_counts_interactions_and_estimates_one_call_for_each():
    err = batch("--dry-run", JUDGE_MODEL="bedrock").err

    assert "4 lines: 3 events, 1 bad; 0 early exits; 4 conversations of 4 interactions" in err
    assert "9 model calls" in err  # five judges for the answer, one for each interaction
