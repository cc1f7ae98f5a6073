"""How verdicts about whole conversations look to a person."""

import asyncio
import io
from typing import Any

import pytest
from rich.console import Console
from tests.agentic.conversations import EXPECTED, REFUSED, RIGHT, WRONG, AnswerModel, batch, dataset, pipeline
from tests.stored_results import make_result

from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.dataset import Dataset
from eval_worker.agentic.pipeline import evaluation_of
from eval_worker.console.conversation_verdicts import MOST_SHOWN
from eval_worker.console.verdicts import print_verdict, print_verdict_with_stages
from eval_worker.evaluation.aggregate import ScoringPolicy
from eval_worker.result import Result, StageResult
from eval_worker.stream.result_stream import StoredResult


def judged(*datasets: Dataset) -> Result:
    report = asyncio.run(pipeline(AnswerModel()).report(datasets, Criteria(k=3)))
    evaluation = evaluation_of(report, ScoringPolicy())
    stages = tuple(
        StageResult(name=stage.name, score=stage.score, reason=stage.reason, duration_ns=1, status=stage.status)
        for stage in evaluation.stages
    )
    return make_result(
        "cnv-1",
        evaluation.verdict.value,
        stages=stages,
        confidence=evaluation.confidence,
        agentic=evaluation.agentic,
        event_type="agent_conversation",
    )


def shown(result: Result, *, with_stages: bool = False, width: int = 200) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    stored = StoredResult.from_entry(b"1-0", {name.encode(): value for name, value in result.to_stream_fields()})
    (print_verdict_with_stages if with_stages else print_verdict)(console, stored)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_line_has_the_figures_before_the_weakest_interaction():
    (line,) = shown(judged(dataset(RIGHT), dataset(RIGHT, session="s2"), dataset(RIGHT, WRONG, session="s3")))

    assert "2 of 3 conversations correct, pass@3 0.96, pass^3 0.30; correctness-judge 0.20: s3, q2: " in line


def test_a_pass_has_its_figures_too():
    (line,) = shown(judged(dataset(RIGHT)))

    assert line.endswith("1 of 1 conversations correct, pass@3 1.00, pass^3 1.00")


def test_what_is_unknown_is_said_to_be():
    (line,) = shown(judged(dataset(RIGHT), dataset(REFUSED)))

    assert "1 of 1 conversations correct, 1 unknown, pass@3 1.00" in line


def test_every_interaction_stands_below_the_figures_with_the_tools_that_were_wrong():
    one = Dataset(
        session_id="s1",
        assistant_id="a1",
        conversation=[batch(RIGHT), batch(RIGHT, "q2", ground_truth_agentic=EXPECTED)],
    )

    lines = [line.strip() for line in shown(judged(one), with_stages=True)]

    assert lines[1].startswith("conversations")
    assert [line.split()[:4] for line in lines[2:4]] == [
        ["correctness-judge", "1.00", "s1,", "q1:"],
        ["correctness-judge", "1.00", "s1,", "q2:"],
    ]
    assert lines[4].startswith("tools")
    assert "s1, q2: " in lines[4]
    assert "calculator" in lines[4]


def test_of_very_many_interactions_the_first_are_shown():
    lines = shown(judged(dataset(*[RIGHT] * (MOST_SHOWN + 1_200))), with_stages=True)

    assert len(lines) == 1 + 1 + MOST_SHOWN + 1 + 1
    assert "and 1,200 more interactions" in lines[-2]


@pytest.mark.parametrize("agentic", [{}, {"aggregated_metrics": 7, "per_conversation_metrics": {"a": 1}}])
def test_what_another_version_wrote_is_shown_as_far_as_it_goes(agentic: dict[str, Any]):
    result = make_result(agentic=agentic)

    assert "whole conversations" in "".join(shown(result))
    assert "whole conversations" in "".join(shown(result, with_stages=True))
