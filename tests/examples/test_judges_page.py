"""docs/judges.md is right about levels, tokens and keys, and shows what its commands and its Python print."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from tests.command_line import run
from tests.evaluation.judges.golden.prompts import BUILT_IN, OURS
from tests.processes import ROOT

from eval_worker.doors.batch.estimate import Estimate, estimate_tokens
from eval_worker.evaluation.aggregate import ScoringPolicy, aggregate
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.judges.prompt import render_prompt
from eval_worker.evaluation.sampling import SampleRates, parse_sample_rates
from eval_worker.evaluation.stage import Stage
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import read_judges

PAGE = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8")
LEVELS = re.findall(r"^\| (\d) \| ([\d.]+) \| .*? \| `(\w+)` \|$", PAGE, re.MULTILINE)


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return found


@pytest.fixture
def own_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's judge, in a file where its commands look for it."""
    path = tmp_path / "politeness.yaml"
    path.write_text(block("yaml"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return path


@pytest.mark.parametrize(("level", "score", "verdict"), LEVELS)
def test_a_level_has_the_score_and_the_verdict_of_the_table(level: str, score: str, verdict: str):
    judged = (Stage("a-judge", int(level) / 5, "", 0),) * 5

    outcome = aggregate((Stage("a-checker", 1.0, "", 0),) * 3, judged, Usage(), ScoringPolicy())

    assert len(LEVELS) == 6
    assert float(score) == int(level) / 5
    assert outcome.verdict == verdict


def test_the_page_sets_what_can_be_set():
    shown = dict(re.findall(r'^(JUDGE_WAVES|SAMPLE_RATES)="(.+)"$', PAGE, re.MULTILINE))
    settings = load_settings(judge_waves=shown["JUDGE_WAVES"], sample_rates=shown["SAMPLE_RATES"])

    assert read_judges(settings).names == BUILT_IN.names
    assert parse_sample_rates(settings.sample_rates) == SampleRates({"support-bot": 0.1}, {"rag": 0.25}, 0.5)


def test_each_judge_of_ours_has_its_row_and_its_reasons():
    for judge in OURS:
        assert f"\n| {judge.name} | " in PAGE
        assert f"\n**{judge.name}** " in PAGE


def test_the_system_prompts_are_as_long_as_the_page_says():
    least, most = map(int, re.findall(r"between (\d+) and (\d+) tokens", PAGE)[0])

    for judge in OURS:
        system = render_prompt(judge, Interaction("q", "a"), "n").system
        assert least <= estimate_tokens(system) <= most, judge.name


def test_the_keys_of_a_judge_are_all_described():
    described = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)))

    assert set(described) == set(JudgeDefinition.model_fields)


def test_the_program_prints_the_prompt_below_it(own_judge: Path):
    program, prints = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", PAGE, re.DOTALL)[0]
    out = io.StringIO()

    with redirect_stdout(out):
        exec(program, {"__name__": "a_program"})

    assert out.getvalue() == prints


def test_a_mistake_in_the_file_is_told_as_shown(own_judge: Path):
    _, command, told, *_ = block("console").splitlines()
    Path("wrong.yaml").write_text(own_judge.read_text().replace("level: 1", "level: 6"), encoding="utf-8")

    finished = run("eval_worker", *command.removeprefix("$ eval-worker ").split())

    assert finished.code == 2
    assert finished.err.splitlines() == [told]


def test_every_source_is_cited_and_every_citation_has_a_source():
    text, sources = PAGE.split("## Sources")

    cited = {int(number) for number in re.findall(r"\[(\d+)\]", text)}
    assert cited == {int(number) for number in re.findall(r"^(\d+)\. ", sources, re.MULTILINE)}


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_a_digest_of_the_built_in_judges_that_a_page_quotes_is_the_present_one(page: Path):
    for quoted in re.findall(r"judges(?:_digest\":)? \"?(sha256:[0-9a-f]+)", page.read_text(encoding="utf-8")):
        assert BUILT_IN.digest.startswith(quoted)


COMBINED = re.findall(r"^\| ([\d,]+) \| 1 for 5 \| ([\d,]+) \| ([\d,]+) \| (\d+)% \|$", PAGE, re.MULTILINE)


def number(text: str) -> int:
    return int(text.replace(",", ""))


@pytest.mark.parametrize(("characters", "separate", "combined", "saved"), COMBINED)
def test_one_call_saves_what_the_table_says(characters: str, separate: str, combined: str, saved: str):
    size = number(characters)
    event = Interaction("q" * (size // 20), "a" * (size // 2), "c" * (size * 9 // 20))
    alone, together = Estimate(BUILT_IN, "tool"), Estimate(BUILT_IN, "tool", combined=True)

    alone.add(event)
    together.add(event)

    assert (alone.usage.llm_calls, together.usage.llm_calls) == (5, 1)
    assert (alone.usage.input_tokens, together.usage.input_tokens) == (number(separate), number(combined))
    assert round(100 * (1 - number(combined) / number(separate))) == int(saved)


def test_the_table_of_what_one_call_saves_has_its_rows():
    assert len(COMBINED) == 4
