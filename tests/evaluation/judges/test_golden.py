"""A changed prompt shows in review: every prompt of ours stands in a golden file, word for word."""

from difflib import unified_diff

import pytest
from tests.evaluation.judges.golden.prompts import FOLDER, OURS, rendered

from eval_worker.doors.batch.estimate import estimate_tokens
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.judge import what_is_missing
from eval_worker.evaluation.judges.prompt import render_prompt

RENEW = "python -m tests.evaluation.judges.golden"
PAGES = rendered()
MOST_TOKENS = 900  # of a system prompt: they are paid for with each event and judge


def difference(name: str, golden: str, now: str) -> str:
    lines = unified_diff(golden.splitlines(), now.splitlines(), f"golden/{name}", "as rendered now", lineterm="")
    return "\n".join(lines)


@pytest.mark.parametrize("name", PAGES)
def test_the_prompts_are_those_of_the_golden_file(name: str):
    path = FOLDER / name
    golden = path.read_text(encoding="utf-8") if path.exists() else ""

    if golden != PAGES[name]:
        pytest.fail(f"{difference(name, golden, PAGES[name])}\n\nIf that is meant: {RENEW}", pytrace=False)


def test_there_is_no_golden_file_of_a_judge_that_is_gone():
    assert {path.name for path in FOLDER.glob("*.txt")} == set(PAGES), f"renew them: {RENEW}"


def test_a_judge_has_one_system_prompt_for_whatever_it_is_asked():
    assert all(text.count("==== system\n") == 1 for name, text in PAGES.items() if name != "digests.txt")


@pytest.mark.parametrize("judge", OURS, ids=[judge.name for judge in OURS])
def test_a_judge_of_ours_shows_a_middling_level_on_an_exchange_that_it_could_be_asked(judge: JudgeDefinition):
    assert judge.example is not None
    assert judge.example.level in {2, 3}
    assert what_is_missing(judge, judge.example.interaction) is None


@pytest.mark.parametrize("judge", OURS, ids=[judge.name for judge in OURS])
def test_a_system_prompt_of_ours_stays_short(judge: JudgeDefinition):
    system = render_prompt(judge, Interaction("q", "a"), "n").system

    assert estimate_tokens(system) < MOST_TOKENS
