"""What a response of Converse is read as, also where it is not as the service promises."""

from typing import Any

import pytest
from tests.models.bedrock.calls import MODES, OpenModel, ask, judged

from eval_worker.evaluation.judges.model import BadReply, FailureKind, Judgement, ModelFailure, ModelReply, Usage
from eval_worker.evaluation.judges.parse import parse_reply, read_answer
from eval_worker.evaluation.judges.reply_form import REPLY_TOOL_NAME
from eval_worker.models.bedrock.response import read_response
from eval_worker.testing import (
    ContentFiltered,
    FakeBedrock,
    MalformedReply,
    Outcome,
    PlainText,
    Stopped,
    Truncated,
    tokens,
)


def test_token_usage_is_what_the_response_says(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    answer = ask(open_model(output="text"))

    call = bedrock.requests()[0]
    assert isinstance(answer, ModelReply)
    assert isinstance(answer.content, str)
    assert answer.usage.llm_calls == 1
    assert answer.usage.input_tokens == tokens(call.system) + tokens(call.conversation)
    assert answer.usage.output_tokens == tokens(answer.content)


def test_a_refusal_is_billed(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.script(ContentFiltered())

    answer = ask(open_model())

    assert isinstance(answer, ModelFailure)
    assert answer.usage.llm_calls == 1
    assert answer.usage.input_tokens > 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("outcome", "problem"),
    [
        (Truncated(), "cut off"),
        (Stopped("malformed_tool_use", "<tool"), "malformed"),
        (Stopped("malformed_model_output"), "malformed"),
    ],
    ids=repr,
)
def test_an_unusable_reply_says_why(
    bedrock: FakeBedrock, open_model: OpenModel, mode: str, outcome: Outcome, problem: str
) -> None:
    bedrock.script(outcome)

    answer = ask(open_model(output=mode))

    assert isinstance(answer, ModelReply)
    assert answer.problem is not None
    assert problem in answer.problem
    assert isinstance(parse_reply(answer.content), BadReply)
    assert answer.usage.llm_calls == 1


@pytest.mark.parametrize("outcome", [PlainText(), PlainText(""), MalformedReply()], ids=repr)
@pytest.mark.parametrize("mode", MODES)
def test_a_reply_by_no_schema_is_left_to_local_validation(
    bedrock: FakeBedrock, open_model: OpenModel, mode: str, outcome: Outcome
) -> None:
    bedrock.script(outcome)

    assert isinstance(judged(ask(open_model(output=mode))), BadReply)


@pytest.mark.parametrize("use", [{}, {"input": None}, {"input": []}, {"input": "5"}])
def test_a_tool_call_without_an_object_for_input_is_an_unusable_reply(use: dict[str, Any]):
    content = [{"toolUse": {"toolUseId": "1", "name": REPLY_TOOL_NAME, **use}}]
    response = {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use"}

    assert isinstance(read_answer(read_response(response, REPLY_TOOL_NAME)), BadReply)


def converse(**changes: Any) -> dict[str, Any]:
    content = [{"toolUse": {"toolUseId": "1", "name": REPLY_TOOL_NAME, "input": {"rationale": "fine", "level": 3}}}]
    message = {"role": "assistant", "content": content}
    usage = {"inputTokens": 10, "outputTokens": 2}
    return {"output": {"message": message}, "stopReason": "tool_use", "usage": usage, **changes}


@pytest.mark.parametrize(
    "response",
    [
        None,
        [],
        "ok",
        {},
        converse(output=[]),
        converse(output={"message": "fine"}),
        converse(output={"message": {"content": {"text": "5"}}}),
        converse(output={"message": {"content": ["text"]}}),
        converse(output={"message": {"content": [{"toolUse": 5}]}}),
        converse(stopReason=None),
        converse(stopReason=["end_turn"]),
        converse(stopReason={"end": "turn"}),
    ],
)
def test_json_that_is_no_converse_response_is_a_bad_response_of_whoever_sent_it(response: Any):
    failure = read_response(response, REPLY_TOOL_NAME)

    assert isinstance(failure, ModelFailure)
    assert (failure.kind, failure.code) == (FailureKind.TRANSIENT, "bad_response")


@pytest.mark.parametrize("content", [None, [], [{}], [{"text": 5}], [{"text": None}, {"reasoningContent": {}}]])
def test_a_message_that_says_nothing_is_an_unusable_reply(content: Any):
    answer = read_answer(
        read_response(converse(output={"message": {"content": content}}, stopReason="end_turn"), REPLY_TOOL_NAME)
    )

    assert isinstance(answer, BadReply)


@pytest.mark.parametrize("usage", [None, [], "many", {"inputTokens": "10"}, {"inputTokens": -1, "outputTokens": None}])
def test_a_count_of_tokens_that_is_none_costs_no_judgement(usage: Any):
    reply = read_response(converse(usage=usage), REPLY_TOOL_NAME)

    assert isinstance(read_answer(reply), Judgement)
    assert reply.usage == Usage(llm_calls=1)


@pytest.mark.parametrize("count", [True, 2.5, float("nan"), float("inf"), 10**400])
def test_a_count_that_no_result_could_hold_is_left_out_of_the_sum(count: Any):
    reply = read_response(
        converse(usage={"inputTokens": count, "cacheReadInputTokens": 7, "outputTokens": 2}), REPLY_TOOL_NAME
    )

    assert reply.usage == Usage(1, input_tokens=7, output_tokens=2, cache_read_input_tokens=7)


def test_a_reply_that_is_nested_too_deeply_to_be_shown_again_is_a_bad_one():
    nested: Any = {}
    for _ in range(5_000):
        nested = {"a": nested}
    tool = {"toolUse": {"name": REPLY_TOOL_NAME, "input": {"level": 9, "more": nested}}}
    answer = read_answer(read_response(converse(output={"message": {"content": [tool]}}), REPLY_TOOL_NAME))
    truncated = read_response(
        converse(output={"message": {"content": [tool]}}, stopReason="max_tokens"), REPLY_TOOL_NAME
    )

    assert isinstance(answer, BadReply)
    assert isinstance(truncated, ModelFailure)
