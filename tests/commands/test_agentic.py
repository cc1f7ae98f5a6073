"""`eval-worker agentic` as people use it: a file of conversations in, a table or the documented response out."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Finished, run, run_on_terminal
from tests.commands.conversation_documents import (
    dataset,
    interaction,
    two_of_three,
    with_tools,
    write,
)
from tests.planted_secrets import AWS_KEYS
from tests.processes import ROOT
from tests.waiting import eventually_sync

from eval_worker.agentic.config import AgenticConfig
from eval_worker.console.agentic_report import LISTED
from eval_worker.settings import load_settings
from eval_worker.testing import AccessDenied, ContentFiltered, FakeBedrock, text

EXAMPLES = ROOT / "examples" / "agentic_datasets.json"


def offline(*arguments: str | Path, **how: Any) -> Finished:
    return run("eval_worker", "agentic", "--judge-model", "offline", *map(str, arguments), **how)


def response(*arguments: str | Path, **how: Any) -> dict[str, Any]:
    finished = offline("--json", *arguments, **how)
    assert finished.code == 0, finished.err
    return json.loads(finished.out)


def aggregated(*arguments: str | Path, **how: Any) -> dict[str, Any]:
    return response(*arguments, **how)["aggregated_metrics"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two of three conversations are fully correct."""
    return write(tmp_path / "datasets.json", two_of_three())


def test_two_of_three_conversations_are_0_963_and_0_296_and_inconsistent(file: Path):
    found = response("-i", file)

    figures = found["aggregated_metrics"]
    assert (figures["total_conversations"], figures["fully_correct_conversations"], figures["k"]) == (3, 2, 3)
    assert (round(figures["pass_at_k"], 4), round(figures["pass_pow_k"], 4)) == (0.9630, 0.2963)
    assert figures["interpretation"] == "inconsistent"
    assert found["success"] is True
    assert [each["is_fully_correct"] for each in found["per_conversation_metrics"]] == [True, True, False]
    assert [each["correct_indices"] for each in found["per_conversation_metrics"]] == [[0], [0], [0]]


def test_a_table_for_people_has_a_row_for_each_conversation_and_all_together_below(file: Path):
    finished = offline("-i", file)

    rows = [" ".join(line.split()) for line in finished.lines]
    assert (finished.code, finished.err) == (0, "")
    assert "one atlas 1/1 yes - 1.000* 1.000*" in rows
    assert "three atlas 1/2 no - 0.875* 0.125*" in rows
    assert "* extrapolated: fewer than k = 3 interactions" in rows
    assert "pass@3 0.963 at least one of 3 attempts is fully correct" in rows
    assert "pass^3 0.296 each of 3 attempts is fully correct" in rows
    assert "inconsistent: nearly sure to succeed within 3 attempts, but not likely to succeed in each" in rows
    assert any("1.000 and 0.000" in row for row in rows)  # unbiased: 1 - C(1, 3)/C(3, 3) and C(2, 3)/C(3, 3)
    assert any("offline, which is no LLM" in row for row in rows)


def test_a_list_a_request_and_a_dataset_a_line_give_the_same(tmp_path: Path, file: Path):
    lines = "".join(json.dumps(each) + "\n" for each in two_of_three())
    expected = response("-i", file)

    assert response("-i", write(tmp_path / "request.json", {"datasets": two_of_three()})) == expected
    assert response("-i", write(tmp_path / "datasets.jsonl", "\n" + lines + "\n")) == expected
    assert response("-i", "-", stdin=lines.encode()) == expected
    assert response("-i", "-", stdin=file.read_bytes()) == expected


def test_the_config_in_the_file_counts_and_flags_override_it(tmp_path: Path):
    config = {"k": 2, "statistical_mode": {"name": "bayesian", "prior_alpha": 4.0, "level": 0.8}}
    request = write(tmp_path / "r.json", {"datasets": two_of_three(), "config": config})

    by_file, by_flags = aggregated("-i", request), aggregated("-i", request, "--k", "1", "--level", "0.99")

    assert (by_file["k"], by_flags["k"]) == (2, 1)
    assert by_flags["pass_pow_k"] == pytest.approx(6 / 8)  # the prior of the file: (4 + 2) of (4 + 1 + 3)
    narrow, wide = (each["pass_at_k_ci_high"] - each["pass_at_k_ci_low"] for each in (by_file, by_flags))
    assert narrow < wide
    assert aggregated("-i", request, "--k", "1", "--interval", "wilson")["pass_pow_k"] == pytest.approx(2 / 3)


def test_a_flag_that_was_not_given_takes_nothing_from_the_config(tmp_path: Path):
    config = {"require_tools": True, "tool_threshold": 1.0}
    request = write(tmp_path / "r.json", {"datasets": [dataset("one", with_tools("fare"))], "config": config})

    assert aggregated("-i", request)["fully_correct_conversations"] == 0
    assert aggregated("-i", request, "--tool-threshold", "0.5")["fully_correct_conversations"] == 1


def test_intervals_stand_beside_their_figures(file: Path):
    by_flag = {
        name: next(line.split()[2] for line in offline("-i", file, *flags).lines if line.startswith("pass^3"))
        for name, flags in (("bayes", ["--bayesian"]), ("wilson", ["--interval", "wilson"]))
    }

    assert by_flag == {"bayes": "0.01–0.81", "wilson": "0.01–0.83"}


def test_more_attempts_than_conversations_are_called_an_extrapolation(file: Path):
    finished = offline("-i", file, "--k", "5")

    assert "extrapolated: k = 5 is more than n = 3" in finished.out
    assert "unbiased" not in finished.out.replace("no unbiased estimate exists", "")


def test_the_help_tells_the_defaults_of_requests():
    defaults, told = AgenticConfig(), " ".join(offline("--help").out.split())

    assert f"[default: {defaults.k}]" in told
    assert f"an answer is correct. [default: {defaults.threshold}]" in told
    assert f"tools are correct. [default: {defaults.tool_threshold}," in told


def test_tools_of_0_875_are_right_by_default_and_wrong_with_a_threshold_of_1(tmp_path: Path):
    file = write(tmp_path / "d.json", [dataset("one", with_tools("fare"))])

    def is_correct(*flags: str) -> tuple[bool, bool]:
        (found,) = response("-i", file, *flags)["per_conversation_metrics"]
        (tools,) = found["tool_correctness_scores"]
        assert tools["overall_correctness"] == 0.875
        return tools["is_correct"], found["is_fully_correct"]

    assert is_correct() == (True, True)
    assert is_correct("--tool-threshold", "1") == (False, True)
    assert is_correct("--tool-threshold", "1", "--require-tools") == (False, False)


def test_questions_that_were_answered_more_than_once_are_shown_when_asked_for(file: Path):
    assert "question" not in offline("-i", file).out
    (row,) = [line.split() for line in offline("-i", file, "--by-question").lines if line.startswith(" departure")]
    assert row[0] == "departure"
    assert row[-5:] == ["3/3", "yes", "yes", "1.000", "1.000"]


def test_a_question_asked_once_is_no_row_of_its_own(tmp_path: Path):
    file = write(tmp_path / "d.json", [dataset("one")])

    assert "No question was answered more than once." in offline("-i", file, "--by-question").out


def test_of_many_conversations_those_that_went_wrong_are_listed(tmp_path: Path):
    many = [dataset(f"right-{number}") for number in range(LISTED)]
    file = write(tmp_path / "d.json", [*many, dataset("wrong-1", interaction(right=False))])

    out = offline("-i", file).out

    assert " wrong-1 " in out
    assert " right-" not in out
    assert f"1 of {LISTED + 1} conversations, none that is fully correct" in out


def test_one_attempt_is_told_in_the_singular(file: Path):
    rows = [" ".join(line.split()) for line in offline("-i", file, "--k", "1").lines]

    assert {"pass@1 0.667 one attempt is fully correct", "pass^1 0.667 one attempt is fully correct"} < set(rows)
    assert "needs improvement: not likely enough to succeed within one attempt" in rows


def test_verbose_shows_each_interaction_with_the_reason(tmp_path: Path):
    turns = (with_tools("fare"), interaction("second", right=False))
    file = write(tmp_path / "d.json", [dataset("one", *turns)])

    rows = [" ".join(line.split()) for line in offline("-i", file, "-v").lines]

    assert rows[0] == "one atlas"
    assert rows[1].startswith("correct departure 1.00 ")
    assert rows[2].startswith("tools 0.88 ")
    assert "fare" in rows[2]
    assert any(row.startswith("wrong second 0.") and "07:15" in row for row in rows)


def test_what_could_not_be_judged_is_unknown_left_out_and_named(tmp_path: Path, bedrock: FakeBedrock):
    bedrock.script(ContentFiltered(), times=None, when=text("a cursed question"))
    unknown = dataset("three", interaction(), interaction("q", query="a cursed question"))
    file = write(tmp_path / "d.json", [dataset("one"), dataset("two"), unknown])
    environment = bedrock.environment() | AWS_KEYS

    finished = run("eval_worker", "agentic", "-i", str(file), environment=environment)
    as_json = run("eval_worker", "agentic", "-i", str(file), "--json", environment=environment)

    rows = [" ".join(line.split()) for line in finished.lines]
    assert finished.code == 0
    assert any(row.startswith("three atlas 1/2, 1 ? unknown -") for row in rows)
    assert "conversations 2 2 fully correct, 0 not; 1 more are unknown" in rows
    assert "unknown, and left out of n: three of atlas" in rows
    assert "1 of 4 interactions could not be judged" in finished.err
    assert as_json.err == finished.err
    found = json.loads(as_json.out)
    assert found["aggregated_metrics"]["unknown_conversations"] == 1
    assert found["per_conversation_metrics"][2]["correctness_scores"] == [1.0, None]


def test_where_no_conversation_is_known_it_exits_1_and_shows_what_is(tmp_path: Path, bedrock: FakeBedrock):
    bedrock.script(ContentFiltered(), times=None, when=text("a cursed question"))
    file = write(tmp_path / "d.json", [dataset("one", interaction(), interaction("q", query="a cursed question"))])

    finished = run("eval_worker", "agentic", "-i", str(file), environment=bedrock.environment() | AWS_KEYS)

    assert finished.code == 1
    assert "unknown: no conversation could be judged to its end" in finished.out


def test_a_model_that_is_away_is_exit_1_and_makes_no_figures(file: Path, bedrock: FakeBedrock):
    bedrock.script(AccessDenied(), times=None)

    finished = run("eval_worker", "agentic", "-i", str(file), environment=bedrock.environment() | AWS_KEYS)

    assert (finished.code, finished.out) == (1, "")
    assert finished.err.startswith("eval-worker: nothing could be judged: ")
    assert len(finished.err.splitlines()) == 1


def test_without_credentials_it_says_so_and_asks_nobody(file: Path):
    finished = run("eval_worker", "agentic", "-i", str(file))

    assert (finished.code, finished.out) == (2, "")
    assert "offline" in finished.err


def test_a_connector_in_the_file_is_not_used_and_its_key_is_not_shown(tmp_path: Path):
    connector = {"class_path": "os.system", "params": {"api_key": "sk-not-to-be-seen"}}
    file = write(tmp_path / "r.json", {"datasets": two_of_three(), "connector": connector})

    finished = offline("-i", file)

    assert finished.code == 0
    assert "connector is not used" in finished.err
    assert "sk-not" not in finished.out + finished.err


def test_the_response_is_written_beside_the_table(tmp_path: Path, file: Path):
    output = tmp_path / "response.json"

    finished = offline("-i", file, "--output", output)

    assert "pass@3" in finished.out
    assert json.loads(output.read_text()) == response("-i", file)


def test_names_that_would_rule_the_terminal_are_shown_without_their_power(tmp_path: Path):
    turn = interaction("\x1b]0;mine\x07", query="When?\x1b[2J")
    file = write(tmp_path / "d.json", [dataset("\x1b[2Jone", turn, assistant_id="\x1b[8m")] * 2)

    assert "\x1b" not in offline("-i", file, "-v", "--by-question").out


def test_a_name_without_end_is_folded_and_takes_no_room_from_the_figures(tmp_path: Path):
    file = write(tmp_path / "d.json", [dataset("x" * 99, assistant_id="y" * 99)])

    lines = offline("-i", file, "--interval", "wilson").lines

    assert max(map(len, lines)) <= 100
    assert sum(line.count("x") for line in lines if line.startswith(" x")) == 99
    assert any(line.split()[-2:] == ["0.50–1.00", "0.01–1.00"] for line in lines)


def test_on_a_terminal_of_80_columns_nothing_is_wider_and_nothing_is_lost():
    arguments = ("agentic", "--judge-model", "offline", "-i", str(EXAMPLES), "--interval", "wilson", "--by-question")

    finished = run_on_terminal("eval_worker", *arguments, settings=load_settings())

    assert finished.code == 0
    assert max(map(len, finished.lines)) <= 80
    assert sum(line.startswith((" timetable ", " fares ", " booking ", " storm ")) for line in finished.lines) == 12
    assert "…" not in finished.out.partition(" question ")[0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing option '--input'"),
        (("-i", "nowhere.json"), "nowhere.json can't be read"),
        (("-i", "good.json", "--k", "0"), "--k"),
        (("-i", "good.json", "--threshold", "1.5"), "--threshold"),
        (("-i", "good.json", "--bayesian", "--interval", "wilson"), "choose one"),
        (("-i", "good.json", "--level", "0.9"), "--level is of an interval"),
        (("-i", "good.json", "--json", "-v"), "leave out"),
        (("-i", "good.json", "--output", "good.json"), "is the input"),
        (("-i", "good.json", "--output", "-"), "name a file"),
        (("-i", "good.json", "--output", "none/r.json"), "there is no directory"),
        (("-i", "good.json", "--concurrency", "0"), "CONCURRENCY"),
        (("-i", "good.json", "--judge-model", "langchain:os.system"), "os.system"),
    ],
)
def test_wrong_usage_is_one_plain_line_and_exit_2(tmp_path: Path, arguments: tuple[str, ...], says: str):
    file = write(tmp_path / "good.json", two_of_three())
    before = file.read_text()

    finished = offline(*arguments)

    assert (finished.code, finished.out) == (2, "")
    assert says in finished.err
    assert "Traceback" not in finished.err
    assert file.read_text() == before


def test_exact_intervals_without_their_extra_say_how_to_install_it(file: Path):
    blocked = (
        "import importlib.util as u; find = u.find_spec;"
        "u.find_spec = lambda name, *rest: None if name == 'scipy' else find(name, *rest);"
        "from eval_worker.cli import main; main()"
    )
    command = [sys.executable, "-c", blocked, "agentic", "-i", str(file), "--judge-model", "offline", "--bayesian"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'eval-worker[agentic]'" in done.stderr


def test_ctrl_c_ends_it_quietly_while_the_model_thinks(file: Path, bedrock: FakeBedrock):
    bedrock.latency(30)
    command = [sys.executable, "-m", "eval_worker", "agentic", "-i", str(file)]
    variables = bedrock.environment() | AWS_KEYS
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | variables
    ) as process:
        eventually_sync(lambda: bedrock.counters().in_flight > 0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err


def test_the_example_has_right_and_wrong_answers_of_three_assistants():
    found = response("-i", EXAMPLES)

    metrics = found["per_conversation_metrics"]
    assert {each["assistant_id"] for each in metrics} == {"atlas", "brook", "cedar"}
    assert sorted(each["is_fully_correct"] for each in metrics) == [False] * 4 + [True] * 8
    assert len(found["per_question_metrics"]) == 8
