"""What the worker writes is what the model of a result says, field by field; and no number that is none gets there."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from math import inf, nan

import pytest
from tests.events import conversations, event

from eval_worker.assessment import AnyEvent
from eval_worker.evaluation.aggregate import Evaluation, Verdict
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, Usage
from eval_worker.evaluation.stage import Stage, StageStatus
from eval_worker.event import decode_event
from eval_worker.result import Result, stream_fields
from eval_worker.result_writer import JudgesDigests, ResultWriter, Source

NOON = datetime(2026, 1, 1, 12, 0, 0, 250, tzinfo=UTC)
WRITER = ResultWriter("model", JudgesDigests("sha256:0", "sha256:1"), lambda: NOON, priced=True)
STAGES = (
    Stage("length-checker", 1.0, "es passt: „größe“ 🙂", 12_500),
    Stage.not_applicable("overlap-checker", "query has no keywords"),
    Stage("relevance-judge", 0.8, "cached\n", 10, cached=True),
    Stage("coherence-judge", None, "no", 5, StageStatus.ERROR, ModelFailure(FailureKind.PERMANENT, "refused", "no")),
)
JUDGED = Evaluation(STAGES, 0.533333333333, Verdict.REVIEW, usage=Usage(3, 100, 20))
EVENT = decode_event(json.dumps(event()).encode(), max_bytes=10_000)
CONVERSATION = decode_event(json.dumps(conversations()).encode(), max_bytes=10_000)
SOURCE = Source("1700000000000-0", 2, "host-1")


@pytest.mark.parametrize("source", [SOURCE, None])
@pytest.mark.parametrize(
    ("writer", "judged", "evaluation"),
    [
        (WRITER, EVENT, JUDGED),
        (WRITER, EVENT, Evaluation(STAGES[:2], 0.0, Verdict.FAIL, early_exit=True)),
        (WRITER, EVENT, replace(JUDGED, combined=True)),
        (WRITER, EVENT, replace(JUDGED, usage=Usage(5, 900, 20, 300, 500, {"model": 0.0012}))),
        (WRITER, EVENT, Evaluation(STAGES[:2], None, Verdict.SKIPPED)),
        (replace(WRITER, include_interaction=True, priced=False), EVENT, JUDGED),
        (WRITER, CONVERSATION, replace(JUDGED, agentic={"success": True, "aggregated_metrics": {"pass@k": None}})),
    ],
)
def test_the_worker_writes_what_every_door_returns(
    writer: ResultWriter, judged: AnyEvent, evaluation: Evaluation, source: Source | None
):
    written = dict(stream_fields(writer.document(judged, evaluation, source)))["payload"].decode()
    returned = writer.write(judged, evaluation, source).model_dump_json(by_alias=True)

    assert written == returned
    assert Result.model_validate_json(written).model_dump_json(by_alias=True) == written


@pytest.mark.parametrize("wrong", [nan, inf, -0.1, 1.1])
def test_a_score_that_is_no_share_becomes_no_verdict(wrong: float):
    with pytest.raises(ValueError, match=r"the confidence is .*, and must be a number from 0 to 1"):
        WRITER.document(EVENT, replace(JUDGED, confidence=wrong))
    with pytest.raises(ValueError, match=r"length-checker is"):
        WRITER.document(EVENT, replace(JUDGED, stages=(replace(STAGES[0], score=wrong),)))
