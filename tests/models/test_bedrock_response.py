"""What a response of Converse is read as, also where it is not as the service promises."""

from typing import Any

import pytest
from tests.models.bedrock_calls import MODES, OpenModel, ask, judged

from eval_worker.evaluation.judges.judge import read_answer
from eval_worker.evaluation.judges.model import BadReply, ModelFailure, ModelReply
from eval_worker.evaluation.judges.parse import REPLY_TOOL_NAME, parse_reply
from eval_worker.models.bedrock_response import read_response
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

    assert isinstance(read_answer(read_response(response)), BadReply)
