"""`eval-worker quality` as people use it: figures on stdout, tables on stderr."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Finished, run
from tests.planted_secrets import AWS_KEYS
from tests.processes import ROOT
from tests.quality.labelled_files import chosen, labelled, rated
from tests.validation.annotated_files import write_lines

from eval_worker.quality.markdown import BEGIN, END
from eval_worker.testing import ContentFiltered, FakeBedrock, judge, text


def quality(*arguments: str | Path, **how: Any) -> Finished:
    return run("eval_worker", "quality", *map(str, arguments), **how)


def offline(*arguments: str | Path, **how: Any) -> Finished:
    return quality(*arguments, "--judge-model", "offline", **how)


def figures(finished: Finished) -> dict[str, Any]:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    assert finished.code == 0, finished.err
    return json.loads(finished.out, parse_constant=refuse)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    write_lines(folder / "rated.jsonl", rated())
    write_lines(folder / "chosen.jsonl", chosen())
    return folder


def test_each_judge_is_measured_on_each_data_set_beside_the_baselines(data: Path):
    finished = offline(data)

    found = figures(finished)
    of_pairs, of_scores = (each["judges"][0] for each in found["data_sets"])
    assert [each["name"] for each in found["data_sets"]] == ["chosen", "rated"]
    assert (of_scores["judge"], of_scores["records"]["measured"], of_scores["pairs"]) == ("faithfulness", 24, None)
    tau = of_scores["measures"]["tau_b"]
    assert tau["value"] == pytest.approx(tau["interval"][0]) == pytest.approx(1.0)
    assert tau["baselines"]["length"]["finding"] == "above"
    assert tau["baselines"]["constant"] == {
        "value": 0.0, "difference": tau["value"], "difference_interval": tau["interval"], "finding": "above",
    }  # fmt: skip
    assert of_scores["measures"]["auroc"]["value"] == 1.0
    pairs = of_pairs["measures"]["pair_accuracy"]
    assert (pairs["n"], pairs["value"], pairs["baselines"]["length"]["value"]) == (12, 1.0, 0.0)
    assert found["against_baselines"]["length"] == {"above": 2, "not told apart": 0, "below": 0}
    assert found["early_exits"]["good"]["answers"] == 24
    assert found["judged_by"][0]["model"] == "offline"
    assert "tau-b within item" in finished.err
    assert "nobody labelled answers for the judge 'coherence'" in finished.err


def test_the_same_data_give_the_same_figures(data: Path):
    first, second = (figures(offline(data)) for _ in range(2))
    for found in (first, second):
        for data_set in found["data_sets"]:
            del data_set["latency_ms"]
    assert first == second


def test_the_confidence_is_held_against_what_people_said_of_the_whole(tmp_path: Path):
    records = [each | {"human": {"overall": each["human"]["faithfulness"]}} for each in rated(4)]

    (data_set,) = figures(offline(write_lines(tmp_path / "a.jsonl", records)))["data_sets"]

    assert [each["judge"] for each in data_set["judges"]] == ["overall"]
    assert data_set["judges"][0]["measures"]["tau_b"]["value"] == pytest.approx(1.0)


def test_labels_of_a_judge_that_is_not_asked_are_pointed_out(tmp_path: Path):
    records = [*rated(2), labelled("x", human={"faithfulnes": 0.5})]

    finished = offline(write_lines(tmp_path / "a.jsonl", records))

    assert figures(finished)["unknown_judges"] == {"faithfulnes": 1}
    assert "1 label of 'faithfulnes', which is no judge that was asked" in finished.err


def test_results_are_kept_and_no_model_is_asked_twice(tmp_path: Path, bedrock: FakeBedrock):
    bedrock.reply(level=1, when=text("1902"))
    file = write_lines(tmp_path / "a.jsonl", rated(4))
    arguments = (file, "--results", tmp_path / "results")
    environment = bedrock.environment() | AWS_KEYS | {"INPUT_TOKEN_PRICE": "1", "OUTPUT_TOKEN_PRICE": "5"}

    first = figures(quality(*arguments, environment=environment))
    asked = bedrock.counters().calls
    again = figures(quality(*arguments, environment=environment))
    other = offline(*arguments)

    assert asked == 4 * 5
    assert bedrock.counters().calls == asked
    assert first == again
    assert first["data_sets"][0]["judges"][0]["measures"]["tau_b"]["value"] == 1.0
    assert first["usage"]["llm_calls"] == 20
    assert first["usage"]["cost_usd"] > 0
    assert (other.code, other.out) == (2, "")
    assert "--results: " in other.err
    assert "name another folder" in other.err


def test_what_could_not_be_judged_is_counted_apart_and_named(tmp_path: Path, bedrock: FakeBedrock):
    refused, failed = "The lighthouse is unspeakable.", "The lighthouse is half unspeakable."
    records = [*rated(2), *(labelled(say, answer=say, human={"faithfulness": 0.0}) for say in (refused, failed))]
    bedrock.script(ContentFiltered(), times=5, when=text("is unspeakable"))
    bedrock.script(ContentFiltered(), times=5, when=judge("faithfulness") & text("half unspeakable"))
    file = write_lines(tmp_path / "a.jsonl", records)

    finished = quality(file, environment=bedrock.environment() | AWS_KEYS)

    (data_set,) = figures(finished)["data_sets"]
    counts = data_set["judges"][0]["records"]
    assert (counts["labelled"], counts["measured"], counts["unscored"], counts["without_verdict"]) == (4, 2, 1, 1)
    assert data_set["left_out"]["without_verdict"] == 1
    assert f"{file}, line 3: has no verdict: every judge failed" in finished.err


def test_figures_and_tables_are_written_where_they_are_wanted(tmp_path: Path, data: Path):
    page = tmp_path / "page.md"
    page.write_text(f"# Quality\n{BEGIN}\n{END}\nThe end.\n")

    finished = offline(data, "--output", tmp_path / "figures.json", "--markdown", page)

    assert (finished.code, finished.out) == (0, "")
    assert json.loads((tmp_path / "figures.json").read_text())["resamples"] == 2000
    assert "| rated | faithfulness | tau-b | 24 |" in page.read_text()
    assert page.read_text().endswith(f"{END}\nThe end.\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing argument 'DATA...'"),
        (("nowhere",), "nowhere: there is no such file or folder"),
        (("data", "--seed", "-1"), "-1 is not in the range"),
        (("data", "--output", "none/f.json"), "there is no directory"),
        (("data/rated.jsonl", "--output", "data/rated.jsonl"), "data/rated.jsonl is named twice"),
        (("data", "--markdown", "bare.md"), "bare.md: it needs the lines"),
        (("data", "--results", "bare.md"), "--results bare.md can't be made"),
        (("data", "--judge-model", "nothing"), "JUDGE_MODEL"),
    ],
)
def test_wrong_usage_is_one_plain_line_and_exit_2(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bare.md").write_text("# Nothing\n")
    before = (data / "rated.jsonl").read_text()

    finished = offline(*arguments) if "--judge-model" not in arguments else quality(*arguments)

    assert (finished.code, finished.out) == (2, "")
    assert says in finished.err
    assert "Traceback" not in finished.err
    assert (data / "rated.jsonl").read_text() == before


def test_without_the_extra_it_says_how_to_install_it(tmp_path: Path):
    hiding = "import sys; sys.modules['numpy'] = None; from eval_worker.cli import main; main()"
    finished = subprocess.run(
        [sys.executable, "-c", hiding, "quality", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert finished.returncode == 2
    assert "pip install 'eval-worker[validation]'" in finished.stderr
