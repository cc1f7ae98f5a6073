"""How a chat model's message is read, whatever provider's class made it."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from tests.models.bedrock.calls import judged

from eval_worker.evaluation.judges.model import BadReply, FailureKind, Judgement, ModelFailure, ModelReply
from eval_worker.evaluation.judges.reply_form import REPLY_TOOL_NAME
from eval_worker.models.langchain.response import read_structured, read_text, usage_of

GOOD = '{"rationale": "Good.", "level": 4}'
DRAFT = '{"rationale": "A draft.", "level": 1}'


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"{{{{JSON {GOOD} JSON}}}}",
        f"Here you are:\n```json\n{GOOD}\n```\nThat is all.",
        f"<think>Perhaps {DRAFT}?</think>\n{GOOD}",
        f"<thinking>\n{DRAFT}</thinking>```json{GOOD}```",
        [{"type": "reasoning", "reasoning": DRAFT}, {"type": "text", "text": GOOD}],
    ],
)
def test_the_json_is_found_in_what_the_model_wrote_around_it(content: Any):
    assert judged(read_text(AIMessage(content))) == Judgement(0.8, "Good.")


@pytest.mark.parametrize("content", ["", f"<think>Perhaps {DRAFT}", f"It quotes {GOOD}, so: {DRAFT}", "no idea"])
def test_no_level_is_taken_from_what_is_no_verdict(content: str):
    assert isinstance(judged(read_text(AIMessage(content))), BadReply)


@pytest.mark.parametrize(
    "metadata",
    [{"finish_reason": "length"}, {"stop_reason": "max_tokens"}, {"finish_reason": "MAX_TOKENS"},
     {"done_reason": "length"}, {"incomplete_details": {"reason": "max_output_tokens"}}],
)  # fmt: skip
def test_a_reply_that_was_cut_off_is_not_parsed(metadata: dict[str, Any]):
    answer = read_text(AIMessage(GOOD, response_metadata=metadata))

    assert isinstance(answer, ModelReply)
    assert answer.problem is not None


@pytest.mark.parametrize(
    "metadata",
    [{"finish_reason": "content_filter"}, {"stop_reason": "refusal"}, {"finish_reason": "SAFETY"},
     {"finish_reason": "FinishReason.RECITATION"}, {"prompt_feedback": {"block_reason": "PROHIBITED_CONTENT"}}],
)  # fmt: skip
def test_a_refusal_is_the_events_own_whoever_refuses(metadata: dict[str, Any]):
    answer = read_text(AIMessage(GOOD, response_metadata=metadata))

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (FailureKind.PERMANENT, "refused")


def tool_call(level: int) -> dict[str, Any]:
    return {"name": "record_judgement", "args": {"rationale": "r", "level": level}, "id": "1"}


def test_tool_calls_that_differ_are_not_usable():
    message = AIMessage("", tool_calls=[tool_call(5), tool_call(0)])

    assert isinstance(
        judged(read_structured({"raw": message, "parsed": {"rationale": "r", "level": 5}}, REPLY_TOOL_NAME)), BadReply
    )


def test_what_is_no_structured_output_is_a_response_that_cannot_be_read():
    answer = read_structured("yes", REPLY_TOOL_NAME)

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (FailureKind.TRANSIENT, "bad_response")


@pytest.mark.parametrize(
    ("details", "cached"),
    [
        ({"cache_read": 700, "cache_creation": 0}, (700, 0)),
        ({"cache_creation": 700}, (0, 700)),
        ({}, (0, 0)),
    ],
)
def test_tokens_of_the_prompt_cache_are_a_part_of_the_input(details: Any, cached: tuple[int, int]):
    counted: Any = {"input_tokens": 1_000, "output_tokens": 10, "total_tokens": 1_010, "input_token_details": details}
    usage = usage_of(AIMessage(GOOD, usage_metadata=counted))
    assert usage.input_tokens == 1_000
    assert (usage.cache_read_input_tokens, usage.cache_write_input_tokens) == cached


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        ({"model_name": "gpt-4o-mini", "finish_reason": "stop"}, ("gpt-4o-mini", "stop")),
        ({"model": "llama3", "done_reason": "stop"}, ("llama3", "stop")),
        ({"model_name": 7}, (None, None)),
        ({}, (None, None)),
    ],
)
def test_who_answered_and_why_it_ended_is_told_where_it_is_known(
    metadata: dict[str, Any], told: tuple[str | None, str | None]
):
    answer = read_text(AIMessage(GOOD, response_metadata=metadata))
    assert isinstance(answer, ModelReply)
    assert (answer.model, answer.finish_reason) == told
