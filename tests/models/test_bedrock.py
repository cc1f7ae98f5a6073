"""BedrockModel over real HTTP, against the fake."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import boto3
import pytest

from eval_worker.errors import SettingsError
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition, ModelOptions
from eval_worker.evaluation.judges.model import (
    BadReply,
    FailureKind,
    Judgement,
    JudgeRequest,
    ModelFailure,
    ModelReply,
)
from eval_worker.evaluation.judges.parse import REPLY_TOOL_NAME, parse_reply
from eval_worker.models.bedrock import BedrockModel
from eval_worker.testing import (
    AccessDenied,
    AwsError,
    ContentFiltered,
    Drop,
    FakeBedrock,
    Garbage,
    MalformedReply,
    ModelError,
    ModelTimeout,
    Outcome,
    PlainText,
    RefuseTemperature,
    ServerError,
    Stopped,
    Throttle,
    Trickle,
    Truncated,
    judge,
    model_id,
    tokens,
)

MODES = ("tool", "native", "text")
MODEL_ID = "us.anthropic.claude-3-5-haiku-20241022-v1:0"
TRANSIENT, PERMANENT, OUTAGE = FailureKind.TRANSIENT, FailureKind.PERMANENT, FailureKind.OUTAGE

OpenModel = Callable[..., BedrockModel]


@pytest.fixture
def bedrock() -> Iterator[FakeBedrock]:
    with FakeBedrock() as fake:
        yield fake


@pytest.fixture(scope="module")
def session() -> boto3.Session:
    return boto3.Session(aws_access_key_id="AKIAFAKEFAKEFAKEFAKE", aws_secret_access_key="fake-secret")


@pytest.fixture
def open_model(bedrock: FakeBedrock, session: boto3.Session) -> Iterator[OpenModel]:
    opened: list[BedrockModel] = []

    def opener(**options: object) -> BedrockModel:
        defaults = {
            "model_id": MODEL_ID,
            "region": "us-east-1",
            "endpoint_url": bedrock.url,
            "session": session,
            "max_calls_in_flight": 4,
        }
        model = BedrockModel(**{**defaults, **options})  # pyright: ignore[reportArgumentType]
        opened.append(model)
        return model

    yield opener
    for model in opened:
        model.close()


def request(name: str = "relevance", *, repair: BadReply | None = None, **options: object) -> JudgeRequest:
    definition = JudgeDefinition(
        name=name,
        question="Is it good?",
        levels={level: f"level {level}" for level in range(6)},
        model=ModelOptions.model_validate(options),
    )
    return JudgeRequest(definition, Interaction("What is AI?", "A field of computer science."), repair)


def ask(model: BedrockModel, asked: JudgeRequest | None = None) -> ModelReply | ModelFailure:
    return asyncio.run(model.ask(asked or request()))


def judged(answer: object) -> Judgement | BadReply:
    assert isinstance(answer, ModelReply), answer
    return parse_reply(answer.content)


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


def test_token_usage_is_what_the_response_says(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    answer = ask(open_model(output="text"))

    call = bedrock.requests()[0]
    assert isinstance(answer, ModelReply)
    assert isinstance(answer.content, str)
    assert answer.usage.llm_calls == 1
    assert answer.usage.input_tokens == tokens(call.system) + tokens(call.conversation)
    assert answer.usage.output_tokens == tokens(answer.content)


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


def test_a_failure_after_the_temperature_was_dropped_is_that_failure(
    bedrock: FakeBedrock, open_model: OpenModel
) -> None:
    bedrock.script(Throttle())
    bedrock.script(RefuseTemperature())

    answer = ask(open_model(), request(temperature=0))

    assert isinstance(answer, ModelFailure)
    assert answer.code == "throttled"


@pytest.mark.parametrize(
    ("outcome", "kind", "code"),
    [
        (Throttle(), TRANSIENT, "throttled"),
        (ServerError(500), TRANSIENT, "server_error"),
        (ServerError(503), TRANSIENT, "server_error"),
        (ServerError(529), TRANSIENT, "server_error"),
        (ModelTimeout(), TRANSIENT, "timeout"),
        (ModelError(), TRANSIENT, "server_error"),
        (Drop(), TRANSIENT, "connection"),
        (Drop(after_bytes=20), TRANSIENT, "bad_response"),
        (Garbage(), TRANSIENT, "bad_response"),
        (Garbage("[]"), TRANSIENT, "bad_response"),
        (Garbage('"oops"'), TRANSIENT, "bad_response"),
        (Garbage(""), TRANSIENT, "bad_response"),
        (Garbage('{"output": {"message": 7}, "stopReason": "end_turn"}'), TRANSIENT, "bad_response"),
        (Garbage(status=400), TRANSIENT, "bad_response"),
        (Garbage(status=302), TRANSIENT, "bad_response"),
        (Garbage(status=502), TRANSIENT, "server_error"),
        (AccessDenied(), OUTAGE, "access_denied"),
        (AwsError(403, "ExpiredTokenException", "The security token is expired"), OUTAGE, "credentials"),
        (AwsError(400, "ValidationException", "The provided model identifier is invalid."), OUTAGE, "model_not_found"),
        (AwsError(400, "ValidationException", "Input is too long for requested model."), PERMANENT, "too_long"),
        (AwsError(400, "ValidationException", "1 validation error detected"), PERMANENT, "invalid_request"),
        (ContentFiltered(), PERMANENT, "refused"),
        (ContentFiltered("guardrail_intervened"), PERMANENT, "refused"),
        (Stopped("refusal"), PERMANENT, "refused"),
        (Stopped("model_context_window_exceeded"), PERMANENT, "too_long"),
    ],
    ids=repr,
)
def test_what_the_provider_does_is_a_failure_of_its_kind_after_one_attempt(
    bedrock: FakeBedrock, open_model: OpenModel, outcome: Outcome, kind: FailureKind, code: str
) -> None:
    bedrock.script(outcome)

    answer = ask(open_model())

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (kind, code), answer
    assert "\n" not in answer.message
    assert bedrock.counters().calls == 1


def test_a_refusal_is_billed(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.script(ContentFiltered())

    answer = ask(open_model())

    assert isinstance(answer, ModelFailure)
    assert answer.usage.llm_calls == 1
    assert answer.usage.input_tokens > 0


def test_a_throttle_says_when_to_come_back(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.script(Throttle(retry_after=7))

    answer = ask(open_model())

    assert isinstance(answer, ModelFailure)
    assert answer.retry_after == 7


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
    ask(model)
    ask(model)

    first, second = bedrock.requests()
    assert first.conversation != second.conversation
    assert first.system == second.system


def test_nobody_listening_is_a_transient_failure(open_model: OpenModel) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answer = ask(open_model(endpoint_url=f"http://127.0.0.1:{taken.getsockname()[1]}"))

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (TRANSIENT, "connection")


def test_a_response_that_does_not_come_in_time_is_a_transient_failure(
    bedrock: FakeBedrock, open_model: OpenModel
) -> None:
    bedrock.latency(60)

    started = time.monotonic()
    answer = ask(open_model(timeout_seconds=0.1))

    assert time.monotonic() - started < 5
    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (TRANSIENT, "timeout")


def test_a_connection_that_was_dropped_is_not_used_again(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    model = open_model()
    bedrock.script(Drop(after_bytes=5), times=1)

    assert isinstance(ask(model), ModelFailure)
    assert isinstance(judged(ask(model)), Judgement)


def test_a_hundred_calls_overlap_on_connections_that_are_kept(
    bedrock: FakeBedrock, open_model: OpenModel, caplog: pytest.LogCaptureFixture
) -> None:
    bedrock.latency(1)  # long enough for a slow machine to begin them all meanwhile
    model = open_model(max_calls_in_flight=100)

    async def ask_all() -> list[ModelReply | ModelFailure]:
        return await asyncio.gather(*(model.ask(request()) for _ in range(100)))

    started = time.monotonic()
    answers = asyncio.run(ask_all())
    elapsed = time.monotonic() - started

    assert all(isinstance(judged(answer), Judgement) for answer in answers)
    assert bedrock.counters().most_in_flight > 50
    assert elapsed < 6  # one after another they take 100 s, in asyncio's default threads 10 s and more
    assert "discarding connection" not in caplog.text  # urllib3's complaint about a pool smaller than the threads


def test_no_more_calls_are_in_flight_than_allowed(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.latency(0.02)
    model = open_model(max_calls_in_flight=3)

    async def ask_all() -> None:
        await asyncio.gather(*(model.ask(request()) for _ in range(12)))

    asyncio.run(ask_all())

    assert bedrock.counters().calls == 12
    assert bedrock.counters().most_in_flight == 3


@pytest.mark.parametrize("slow", [Trickle(pause=0.5), None], ids=["trickle", "silence"])
def test_a_cancelled_call_does_not_hold_its_caller(
    bedrock: FakeBedrock, open_model: OpenModel, slow: Outcome | None
) -> None:
    if slow:
        bedrock.script(slow)
    else:
        bedrock.latency(60)
    model = open_model(timeout_seconds=60)

    async def give_up() -> None:
        call = asyncio.create_task(model.ask(request()))
        await asyncio.to_thread(bedrock.wait_until, lambda seen: seen.in_flight == 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    started = time.monotonic()
    asyncio.run(give_up())
    model.close()
    assert time.monotonic() - started < 5


def test_a_closed_model_cancels_what_has_not_begun(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.latency(60, when=judge("coherence"))
    model = open_model(max_calls_in_flight=1)

    async def close_early() -> None:
        under_way = asyncio.create_task(model.ask(request("coherence")))
        await asyncio.to_thread(bedrock.wait_until, lambda seen: seen.in_flight == 1)
        waiting = asyncio.create_task(model.ask(request("relevance")))
        await asyncio.sleep(0)
        model.close()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        under_way.cancel()

    asyncio.run(close_early())

    assert bedrock.counters().by_judge == {"coherence": 1}


_ASKS_AND_LEAVES = """
import asyncio, sys
sys.path[:0] = {path!r}
from eval_worker.models.bedrock import BedrockModel
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.model import JudgeRequest
judge = JudgeDefinition(name="slow", question="?", levels={{level: "x" for level in range(6)}})
model = BedrockModel(model_id="m", region="us-east-1", timeout_seconds=300)
async def main():
    try:
        async with asyncio.timeout(0.2):
            await model.ask(JudgeRequest(judge, Interaction("q", "a")))
    except TimeoutError:
        print("left")
asyncio.run(main())
model.close()
"""


def test_the_end_of_the_process_does_not_wait_for_a_call(bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch) -> None:
    bedrock.latency(300)
    for name, value in bedrock.environment().items():
        monkeypatch.setenv(name, value)

    program = _ASKS_AND_LEAVES.format(path=[entry for entry in sys.path if entry])
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)

    assert (child.returncode, child.stdout, child.stderr) == (0, "left\n", "")
    assert bedrock.counters().calls == 1


def test_no_message_shows_a_secret(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    message = (
        "'Bearer bedrock-api-key-c2VjcmV0' not a valid key=value pair in Authorization header: AKIAFAKEFAKEFAKEFAKE"
    )
    bedrock.script(AwsError(403, "IncompleteSignatureException", message))

    answer = ask(open_model())

    assert isinstance(answer, ModelFailure)
    assert answer.code == "credentials"
    assert "c2VjcmV0" not in answer.message
    assert "AKIA" not in answer.message


@pytest.mark.parametrize(
    "wrong", [{"endpoint_url": "not a url"}, {"region": "not a region", "endpoint_url": None}], ids=repr
)
def test_a_wrong_endpoint_or_region_stops_the_start(open_model: OpenModel, wrong: dict[str, str | None]) -> None:
    with pytest.raises(SettingsError, match=r"not a (url|region)"):
        open_model(**wrong)
