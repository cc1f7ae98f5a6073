"""What Bedrock is asked, as it arrives there: output modes, model settings, the repair."""

import json
import re

import pytest
from tests.models.bedrock.calls import MODEL_ID, MODES, OpenModel, ask, judged, request
from tests.models.offline.verdicts import definition_named

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.model import BadReply, Judgement, ModelReply
from eval_worker.evaluation.judges.reply_form import REPLY_TOOL_NAME
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.testing import (
    FakeBedrock,
    RefuseTemperature,
    model_id,
)


@pytest.mark.parametrize("mode", MODES)
def test_every_output_mode_gives_a_judgement(bedrock: FakeBedrock, open_model: OpenModel, mode: str) -> None:
    bedrock.reply(level=3, rationale="Half of it is there.")

    assert judged(ask(open_model(output=mode))) == Judgement(0.6, "Half of it is there.")


def test_the_tool_is_forced(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    ask(open_model(output="tool"))

    body = bedrock.requests()[0].body
    assert body["toolConfig"]["toolChoice"] == {"tool": {"name": REPLY_TOOL_NAME}}
    assert "outputConfig" not in body


def test_native_output_is_a_schema_with_the_levels_as_an_enum(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    answer = ask(open_model(output="native"))

    body = bedrock.requests()[0].body
    schema = body["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"]
    assert json.loads(schema)["properties"]["level"]["enum"] == [0, 1, 2, 3, 4, 5]
    assert "imum" not in schema
    assert "toolConfig" not in body
    assert isinstance(answer, ModelReply)
    assert isinstance(answer.content, str)


def test_text_output_is_asked_for_in_words_only(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    ask(open_model(output="text"))

    call = bedrock.requests()[0]
    assert "JSON object" in call.system
    assert not {"toolConfig", "outputConfig"} & set(call.body)


@pytest.mark.parametrize("mode", MODES)
def test_the_instruction_judge_is_sent_what_code_verified(
    bedrock: FakeBedrock, open_model: OpenModel, mode: str
) -> None:
    judge = definition_named("instruction")
    ask(open_model(output=mode), JudgeRequest(judge, Interaction("Name exactly 3 seas", "1. Red Sea\n2. Dead Sea")))

    (call,) = bedrock.requests()
    assert '"asked for exactly 3 seas, the answer has 2"' in call.conversation
    assert "verified_instructions" in call.system


def test_a_judge_may_have_its_own_model_and_limits(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    model = open_model()
    ask(model, request(model_id="eu.other:0", max_tokens=99, temperature=0.5))
    ask(model, request())

    own, default = bedrock.requests()
    assert (own.model_id, own.body["inferenceConfig"]) == ("eu.other:0", {"maxTokens": 99, "temperature": 0.5})
    assert (default.model_id, default.body["inferenceConfig"]) == (MODEL_ID, {"maxTokens": 1024})
    assert model.name == MODEL_ID


def test_a_model_arn_survives_the_url(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    arn = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123"

    ask(open_model(model_id=arn))

    assert bedrock.counters().by_model_id == {arn: 1}


def test_a_refused_temperature_is_dropped_and_remembered(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.script(RefuseTemperature())
    model = open_model()

    answers = [ask(model, request(temperature=0)) for _ in range(3)]

    assert [judged(answer) for answer in answers] == [Judgement(1.0, "The fake model found nothing to object to.")] * 3
    assert bedrock.counters().by_outcome == {"RefuseTemperature": 1, "Reply": 3}
    assert all(isinstance(answer, ModelReply) and answer.usage.llm_calls == 1 for answer in answers)


def test_a_refused_temperature_is_remembered_for_that_model_only(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.script(RefuseTemperature(), when=model_id(MODEL_ID))
    model = open_model()

    ask(model, request(temperature=0))
    ask(model, request(temperature=0, model_id="eu.other:0"))

    assert [call.temperature for call in bedrock.requests()] == [0, None, 0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("said", ["I think it is fine", "", "  \n"])
def test_a_repair_shows_the_bad_reply_and_what_was_wrong_with_it(
    bedrock: FakeBedrock, open_model: OpenModel, mode: str, said: str
) -> None:
    answer = ask(open_model(output=mode), request(repair=BadReply(said, "level: is required")))

    messages = bedrock.requests()[0].body["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert all(block["text"].strip() for message in messages for block in message["content"])
    assert said.strip() in messages[1]["content"][0]["text"]
    assert "level: is required" in messages[2]["content"][0]["text"]
    assert isinstance(judged(answer), Judgement)


def test_every_request_has_a_nonce_of_its_own(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    model = open_model()
    for repair in (None, None, None, BadReply("no", "level: is required")):
        ask(model, request(repair=repair))

    calls = bedrock.requests()
    nonces = [set(re.findall(r"</?data-([0-9a-f]{16})>", call.conversation)) for call in calls]
    assert [len(each) for each in nonces] == [1, 1, 1, 1]
    assert len(set[str].union(*nonces)) == 4
    assert len({call.system for call in calls}) == 1
