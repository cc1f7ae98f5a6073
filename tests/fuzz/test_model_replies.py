"""Whatever a model says, or answers in its place: a judgement, or a failure of a known kind."""

import json
import math
from collections import Counter
from typing import Any

from tests.fuzz.amount import amount, generators
from tests.fuzz.converse_responses import a_response
from tests.fuzz.json_values import strict
from tests.stored_results import make_result

from eval_worker.evaluation.judges.model import BadReply, FailureKind, Judgement, ModelFailure
from eval_worker.evaluation.judges.parse import read_answer
from eval_worker.evaluation.judges.reply_form import REPLY_TOOL_NAME
from eval_worker.models.bedrock.response import read_response
from eval_worker.result import StageResult

RESPONSES = 20_000
LEVELS = {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}


def test_every_reply_is_a_judgement_or_a_failure():
    seen: Counter[str] = Counter()
    for name, rng in generators(RESPONSES):
        response = a_response(rng)
        try:
            seen[check(response)] += 1
        except Exception as error:
            error.add_note(f"{name}: {response!r:.2000}")
            raise

    assert min(seen[kind] for kind in ("Judgement", "BadReply", "ModelFailure")) > amount(RESPONSES) // 100


def check(response: Any) -> str:
    """Return what kind of answer it is taken for."""
    reply = read_response(response, REPLY_TOOL_NAME)
    for count in (reply.usage.input_tokens, reply.usage.output_tokens):
        assert type(count) is int
        assert 0 <= count < 2**53
    answer = read_answer(reply)
    match answer:
        case Judgement(score, reason):
            assert score in LEVELS
            assert reason.strip()
            assert not math.isnan(score)
            strict(as_result(score, reason))
        case BadReply(text, problem):
            assert problem
            assert "\n" not in problem
            assert len(text) <= 2_000 or answer.problem
            json.dumps(text)  # how it is shown to the model again
        case ModelFailure():
            assert answer.kind in FailureKind
            assert answer.message
            assert answer.code in {"bad_response", "refused", "too_long"}
        case _:
            raise AssertionError(answer)
    return type(answer).__name__


def as_result(score: float, reason: str) -> bytes:
    stage = StageResult(name="relevance-judge", score=score, reason=reason, duration_ns=1)
    return dict(make_result(stages=(stage,)).to_stream_fields())["payload"]
