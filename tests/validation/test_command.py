"""`eval-worker validate` as people use it: figures on stdout, the rest on stderr, and an exit code for a gate."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Finished, run
from tests.events import event
from tests.planted_secrets import AWS_KEYS
from tests.processes import ROOT
from tests.validation.annotated_files import annotated, result_of, write_lines

from eval_worker.evaluation.judges.definition import BUILT_IN_JUDGES
from eval_worker.testing import ContentFiltered, FakeBedrock, judge, text

DOCUMENTED = {
    "total_records",
    "agreement_count",
    "agreement_rate",
    "kendall_tau",
    "kendall_tau_interval",
    "threshold",
    "passed",
    "confusion_matrix",
    "interpretation",
    "per_judge",
}
OTHER_JUDGES = "judges:\n  - name: relevance\n    question: Does it help a beginner?\n"


def validate(*arguments: str | Path, **how: Any) -> Finished:
    return run("eval_worker", "validate", *map(str, arguments), **how)


def figures(finished: Finished) -> dict[str, Any]:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(finished.out, parse_constant=refuse)


def offline(*arguments: str | Path, **how: Any) -> Finished:
    return validate(*arguments, "--judge-model", "offline", **how)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "annotated.jsonl", annotated())


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Records that carry their results: people agree with two of three."""
    documents = annotated(12)
    for number, document in enumerate(documents):
        says_pass = (document["human_annotation"] == "pass") != (number % 3 == 0)
        document["result"] = result_of(document, "pass" if says_pass else "fail", 0.9 if says_pass else 0.2)
    return write_lines(tmp_path / "judged.jsonl", documents)


def test_perfect_agreement_on_five_pass_and_five_fail_is_1_and_exits_0(records: Path):
    finished = offline("--input", records)

    found = figures(finished)
    assert finished.code == 0
    assert found.keys() >= DOCUMENTED
    assert (found["total_records"], found["agreement_count"], found["agreement_rate"]) == (10, 10, 1.0)
    assert (found["kendall_tau"], found["kendall_tau_interval"], found["passed"]) == (1.0, [1.0, 1.0], True)
    assert found["confusion_matrix"] == {
        "pass": {"pass": 5, "review": 0, "fail": 0},
        "review": {"pass": 0, "review": 0, "fail": 0},
        "fail": {"pass": 0, "review": 0, "fail": 5},
    }
    assert "very strong agreement" in found["interpretation"]
    assert "tau-b 1.00" in finished.err


def test_under_the_threshold_it_exits_1(judged: Path):
    assert validate("-i", judged).code == 0
    finished = validate("-i", judged, "--correlation-threshold", "0.5")

    assert finished.code == 1
    assert figures(finished)["passed"] is False
    assert "under the threshold of 0.5" in finished.err


def test_no_order_in_the_labels_is_null_and_fails_with_the_reason(tmp_path: Path):
    records = write_lines(tmp_path / "all.jsonl", annotated(12, human_annotation="pass"))

    finished = offline("-i", records, "--correlation-threshold", "-1")

    found = figures(finished)
    assert finished.code == 1
    assert (found["kendall_tau"], found["kendall_tau_interval"], found["passed"]) == (None, None, False)
    assert "all human labels are 'pass'" in found["interpretation"]


def test_the_same_run_says_the_same_to_the_last_digit(judged: Path):
    assert validate("-i", judged).out == validate("-i", judged).out


def test_records_that_are_judged_already_need_no_model_nor_credentials(judged: Path):
    finished = validate("-i", judged)

    found = figures(finished)
    assert (found["model"], found["judged_now"], found["usage"]["llm_calls"]) == ("somebody", 0, 0)
    assert found["total_records"] == 12


def test_results_of_a_batch_run_are_found_by_line_and_by_id(tmp_path: Path):
    documents = annotated(12)
    documents[2]["event_id"] = documents[0]["event_id"]  # told apart by their lines
    answers = [result_of(each, each["human_annotation"], 0.9) for each in documents[:11]]
    answers[2] |= {"verdict": "fail", "line": 3}
    records = write_lines(tmp_path / "a.jsonl", documents)
    results = write_lines(tmp_path / "out.jsonl", [*reversed(answers), "{}"])

    finished = validate("-i", records, "--results", results)

    found = figures(finished)
    assert (found["total_records"], found["agreement_count"], found["judged_now"]) == (11, 10, 0)
    assert found["confusion_matrix"]["pass"]["fail"] == 1
    assert found["left_out"] == {"bad_records": 0, "without_verdict": 1, "bad_results": 1}
    assert "record 12: has no result in the file that --results names" in finished.err
    assert "line of --results 12:" in finished.err


def test_results_are_found_for_a_few_records_annotated_in_a_file_of_their_own(tmp_path: Path):
    documents = annotated(12)
    results = [
        result_of(each, each["human_annotation"], 0.9, line=number) for number, each in enumerate(documents, start=1)
    ]
    results.append(results[11] | {"line": 13})  # the same id on another line: which of them is meant?
    few = write_lines(tmp_path / "few.jsonl", documents[6:])

    finished = validate("-i", few, "--results", write_lines(tmp_path / "out.jsonl", results))

    assert (figures(finished)["total_records"], figures(finished)["agreement_count"]) == (5, 5)
    assert "record 6: has no result" in finished.err


def test_results_of_other_events_are_a_mistake(tmp_path: Path, records: Path):
    results = write_lines(tmp_path / "out.jsonl", [result_of(event("another"), "pass", 0.9)])

    finished = validate("-i", records, "--results", results)

    assert (finished.code, finished.out) == (2, "")
    assert "are they of the same events?" in finished.err


def test_bad_records_are_listed_with_their_numbers_and_counted(tmp_path: Path):
    good = annotated()
    skipped = good[9] | {"result": result_of(good[9], "skipped", None)}
    lines = [*good[:9], "{broken", event("no label"), event("x") | {"human_annotation": "meh"}, skipped]
    finished = offline("-i", write_lines(tmp_path / "a.jsonl", lines))

    found = figures(finished)
    assert finished.code == 0
    assert (found["total_records"], found["left_out"]["bad_records"], found["left_out"]["without_verdict"]) == (9, 3, 1)
    for said in (
        "record 10: is not JSON",
        "record 11: has neither",
        "record 12: human_annotation",
        "record 13: was skip",
    ):
        assert said in finished.err


def test_an_event_that_the_model_refuses_is_counted_and_left_out(tmp_path: Path, bedrock: FakeBedrock):
    documents = [event(f"e-{number}") | {"human_annotation": "pass"} for number in range(2)]
    documents[1] = event("e-1", answer="The capital is unspeakable, they say in France.") | {"human_annotation": "fail"}
    bedrock.script(ContentFiltered(), times=5, when=text("unspeakable"))
    finished = validate(
        "-i", write_lines(tmp_path / "a.jsonl", documents), environment=bedrock.environment() | AWS_KEYS
    )

    found = figures(finished)
    assert (found["total_records"], found["left_out"]["without_verdict"]) == (1, 1)
    assert "record 2: has no verdict" in finished.err


def test_human_scores_of_a_judge_that_is_not_there_are_pointed_out(tmp_path: Path):
    records = write_lines(tmp_path / "a.jsonl", annotated(human_scores={"relevanse": 0.5, "relevance": 0.5}))

    finished = offline("-i", records)

    assert figures(finished)["unused_human_scores"]["relevanse"] == 10
    assert "10 human scores of 'relevanse', a judge that scored nothing" in finished.err


def test_one_label_made_of_scores_is_one(tmp_path: Path):
    document, *others = annotated()
    del document["human_annotation"]

    finished = offline(
        "-i", write_lines(tmp_path / "a.jsonl", [document | {"human_scores": {"relevance": 1.0}}, *others])
    )

    assert "1 human label is made of human scores: nobody gave one" in finished.err


def test_labels_made_of_scores_are_counted(tmp_path: Path):
    documents = [document | {"human_scores": {"relevance": 1.0}} for document in annotated()]
    for document in documents:
        del document["human_annotation"]

    finished = offline("-i", write_lines(tmp_path / "a.jsonl", documents))

    assert figures(finished)["labels_from_scores"] == 10
    assert "nobody gave one" in finished.err


def test_pairs_are_written_a_record_a_line(tmp_path: Path, judged: Path):
    validate("-i", judged, "--output", tmp_path / "pairs.jsonl")

    pairs = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert len(pairs) == 12
    assert pairs[0] | {"stages": 0} == {
        "number": 1,
        "id": "e-0",
        "human": "pass",
        "verdict": "fail",
        "confidence": 0.2,
        "agrees": False,
        "judge_scores": {"relevance": 0.2},
        "human_scores": {},
        "label_from_scores": False,
        "early_exit": False,
        "partial": False,
        "stages": 0,
    }


def test_csv_with_columns_for_scores_is_read(tmp_path: Path):
    table = tmp_path / "a.csv"
    rows = [f"e-{n},What is {n} + 1?,{n + 1},{'pass' if n % 2 else 'Fail'},{n / 10}" for n in range(10)]
    header = "event_id,user_query,answer,human_annotation,human_scores.relevance"
    table.write_text("\n".join([header, *rows]))

    found = figures(offline("-i", table))

    assert found["total_records"] == 10
    assert found["per_judge"]["relevance"]["against"] == "human_scores"


def test_a_second_run_with_a_cache_asks_the_model_nothing(tmp_path: Path, bedrock: FakeBedrock, records: Path):
    environment = bedrock.environment() | AWS_KEYS
    arguments = ("-i", records, "--cache", tmp_path / "cache.jsonl")

    first = validate(*arguments, environment=environment)
    asked = bedrock.counters().calls
    second = validate(*arguments, environment=environment | {"PASS_THRESHOLD": "0.9"})

    # The same event five times over: those that are begun later find some of it in the cache.
    assert 5 <= asked == figures(first)["usage"]["llm_calls"] <= 25
    assert bedrock.counters().calls == asked
    assert figures(second)["usage"]["llm_calls"] == 0
    assert figures(second)["kendall_tau"] == figures(first)["kendall_tau"]


def test_to_measure_judges_all_of_them_are_asked_whatever_the_waves(
    tmp_path: Path, bedrock: FakeBedrock, records: Path
):
    environment = bedrock.environment() | AWS_KEYS | {"JUDGE_WAVES": "relevance,faithfulness,coherence,completeness"}

    validate("-i", records, environment=environment)

    assert set(bedrock.counters().by_judge) == set(BUILT_IN_JUDGES)


def test_other_judges_that_agree_better_are_found_and_only_they_are_asked(tmp_path: Path, bedrock: FakeBedrock):
    """The first set passes everything; the other's relevance judge knows what people failed."""
    documents = [event(f"e-{n}", answer=f"The capital of France is Paris, number {n}.") for n in range(24)]
    for number, document in enumerate(documents):
        document["human_annotation"] = "fail" if number % 2 else "pass"
        document["interaction"]["answer"] += " This is wrong." if number % 2 else ""
        document["result"] = result_of(document, "review" if number % 4 == 3 else "pass", 0.9)
    bedrock.reply(level=0, when=text("This is wrong"))
    others = tmp_path / "others.yaml"
    others.write_text(OTHER_JUDGES)
    arguments = ("-i", write_lines(tmp_path / "a.jsonl", documents), "--compare", others, "--cache", tmp_path / "c")
    environment = bedrock.environment() | AWS_KEYS

    finished = validate(*arguments, environment=environment)
    asked = bedrock.counters().calls
    again = validate(*arguments, environment=environment)

    compared = figures(finished)["comparison"]
    assert compared["finding"] == "better"
    assert compared["kendall_tau"]["difference"] > 0
    assert compared["kendall_tau"]["share_better"] > 0.95
    assert compared["other_judges_digest"] != figures(finished)["judges_digest"]
    assert "the other set agrees better with people" in finished.err
    assert asked == 24 * 5
    assert bedrock.counters().calls == asked
    assert figures(again)["comparison"]["kendall_tau"] == compared["kendall_tau"]


def test_a_set_that_rewords_one_judge_asks_that_judge_alone(tmp_path: Path, bedrock: FakeBedrock):
    documents = [event(f"e-{n}", answer=f"The capital of France is Paris, number {n}.") for n in range(4)]
    records = write_lines(tmp_path / "a.jsonl", [each | {"human_annotation": "pass"} for each in documents])
    others = tmp_path / "others.yaml"
    others.write_text(OTHER_JUDGES)

    validate("-i", records, "--compare", others, environment=bedrock.environment() | AWS_KEYS)

    assert bedrock.counters().calls == 4 * 5 + 4
    assert sum(judge("relevance").matches(call) for call in bedrock.requests()) == 8


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing option '--input'"),
        (("-i", "nowhere.jsonl"), "nowhere.jsonl"),
        (("-i", "empty.jsonl"), "there is no record in it"),
        (("-i", "bad.jsonl"), "none of its 2 records can be used; record 1: has neither"),
        (("-i", "good.jsonl", "--correlation-threshold", "2"), "2.0 is not in the range"),
        (("-i", "good.jsonl", "--report", "r.pdf"), "must end in .html or .json"),
        (("-i", "good.jsonl", "--report", "none/r.html"), "there is no directory"),
        (("-i", "good.jsonl", "--output", "good.jsonl"), "good.jsonl is named twice"),
        (("-i", "good.jsonl", "--cache", "good.jsonl"), "good.jsonl is named twice"),
        (("-i", "good.jsonl", "--cache", "bad.jsonl"), "holds no judgements"),
        (("-i", "good.jsonl", "--output", "."), "is a directory"),
        (("-i", "good.jsonl", "--output", "-"), "-: name a file: the figures go to stdout"),
        (
            ("-i", "good.jsonl", "--results", "bad.jsonl"),
            "none of its 2 lines is a result; line 1: id: is required",
        ),
        (("-i", "good.jsonl", "--results", "nowhere.jsonl"), "nowhere.jsonl"),
        (("-i", "good.jsonl", "--compare", "nowhere.yaml"), "nowhere.yaml can't be read"),
        (("-i", "good.jsonl", "--seed", "-1"), "-1 is not in the range"),
    ],
)
def test_wrong_usage_is_one_plain_line_and_exit_2(tmp_path: Path, arguments: tuple[str, ...], says: str):
    write_lines(tmp_path / "good.jsonl", annotated())
    write_lines(tmp_path / "bad.jsonl", [event(), event()])
    write_lines(tmp_path / "empty.jsonl", [])
    before = (tmp_path / "good.jsonl").read_text()

    finished = offline(*arguments)

    assert (finished.code, finished.out) == (2, "")
    assert says in finished.err
    assert "Traceback" not in finished.err
    assert (tmp_path / "good.jsonl").read_text() == before


def test_other_judges_that_cannot_be_read_are_refused_before_a_model_is_asked(
    tmp_path: Path, bedrock: FakeBedrock, records: Path
):
    finished = validate("-i", records, "--compare", tmp_path / "no.yaml", environment=bedrock.environment() | AWS_KEYS)

    assert finished.code == 2
    assert "--compare" in finished.err
    assert bedrock.counters().calls == 0


def test_without_the_extra_it_says_how_to_install_it(tmp_path: Path, records: Path):
    blocked = "import sys; sys.modules['scipy'] = None; from eval_worker.cli import main; main()"
    command = [sys.executable, "-c", blocked, "validate", "-i", str(records), "--judge-model", "offline"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "pip install 'eval-worker[validation]'" in done.stderr


def test_the_example_in_the_repository_is_balanced_and_every_record_is_usable():
    finished = offline("-i", ROOT / "examples" / "annotated.jsonl", "--correlation-threshold", "-1")

    found = figures(finished)
    assert found["total_records"] >= 48
    assert {sum(row.values()) for row in found["confusion_matrix"].values()} == {found["total_records"] // 3}
    assert found["left_out"] == {"bad_records": 0, "without_verdict": 0, "bad_results": 0}
    assert found["unused_human_scores"] == {}
