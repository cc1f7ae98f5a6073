import io
import json

import pytest
from rich.console import Console
from tests.stored_results import make_result

from eval_worker.console.demo_table import print_outcomes
from eval_worker.console.verdicts import print_verdict
from eval_worker.dashboard.facts import facts_of
from eval_worker.demo import DemoOutcome
from eval_worker.result import Result, StageResult
from eval_worker.stream.result_stream import StoredResult
from eval_worker.weakest_stage import weakest_stage

PRECHECKS = ("length-checker", "overlap-checker", "format-checker")
JUDGES = ("relevance-judge", "faithfulness-judge", "coherence-judge", "completeness-judge", "instruction-judge")


def result_of(*scores: float | None) -> Result:
    """A `fail` with these scores, in the order of the stages."""
    stages = tuple(
        StageResult(name=name, score=score, reason=f"says {name}", duration_ns=1)
        for name, score in zip(PRECHECKS + JUDGES, scores, strict=False)
    )
    return make_result(verdict="fail", stages=stages)


@pytest.mark.parametrize(
    ("scores", "name"),
    [
        ((1, 0.0, 1, 0.0, None, 1, 1, 1), "relevance-judge"),  # 0.1 and 0.175
        ((1, 0.0, 1, 1, 1, 0.4, 1, 1), "overlap-checker"),  # 0.1 and 0.084
        ((1, 0.0, 1, 1, 1, 0.2, 1, 1), "coherence-judge"),  # 0.1 and 0.112
        ((None, 0.0, None, 0.0, None, None, None, None), "relevance-judge"),
        ((1, 0.5, 0.2, None, None, None, None, None), "format-checker"),
        ((None, None, None, 0.9, 0.8), "faithfulness-judge"),
        ((0.3, 0.3, 1, 0.5, 0.5, 0.5, 0.5, 0.5), "length-checker"),  # 0.07 each
        ((1, 1, 1, 0.5, 0.4, 0.4, 0.5, 0.5), "faithfulness-judge"),
        ((1, 1, 1, 1, 1), "length-checker"),
    ],
)
def test_it_is_the_first_that_took_most_from_the_confidence(scores: tuple[float | None, ...], name: str):
    weakest = weakest_stage(result_of(*scores))
    assert weakest is not None
    assert (weakest.name, weakest.score, weakest.reason) == (
        name,
        scores[(PRECHECKS + JUDGES).index(name)],
        f"says {name}",
    )


def test_where_none_is_scored_there_is_none():
    assert weakest_stage(result_of(None, None, None, None)) is None


def test_a_line_the_page_and_the_demo_name_the_same_stage():
    result = result_of(1, 0.0, 1, 0.0, None, 1, 1, 1)
    stored = StoredResult.from_entry(b"1-0", {name.encode(): value for name, value in result.to_stream_fields()})
    payload = json.dumps({"interaction": {"user_query": "q", "answer": "a"}})
    console = Console(file=io.StringIO(), width=200)

    print_verdict(console, stored)
    print_outcomes(console, [DemoOutcome(payload, "1-0", result)], "offline")
    facts = facts_of("1-0", result)

    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().count("relevance-judge 0.00: says relevance-judge") == 2
    assert facts.weakest == weakest_stage(result)
