"""What an ordinary call takes from boto3, and what it does by itself."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.credentials import RefreshableCredentials
from botocore.session import get_session
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.models.bedrock.calls import MODEL_ID, OpenModel, ask, request
from tests.models.bedrock.recorded_requests import Recorder, recording

from eval_worker.evaluation.judges.model import ModelFailure, ModelReply
from eval_worker.models.bedrock.connections import HttpReply
from eval_worker.models.bedrock.model import BedrockModel
from eval_worker.models.bedrock.outline import body_of
from eval_worker.models.bedrock.request import OutputMode, converse_request
from eval_worker.testing import FakeBedrock

PREPARED = "before-parameter-build.bedrock-runtime.Converse"
TEXTS = st.text(min_size=1, max_size=40) | st.just("half a pair: \ud83d")


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    with recording() as recorder:
        yield recorder


def test_boto3_prepares_one_call_of_a_model_and_the_others_are_made_alike(
    bedrock: FakeBedrock, open_model: OpenModel
) -> None:
    model = open_model()
    prepared: list[str] = []
    model._client.meta.events.register(PREPARED, lambda params, **_event: prepared.append(params["modelId"]))

    for model_id in (MODEL_ID, "another.model-v1:0", MODEL_ID, "another.model-v1:0"):
        assert isinstance(ask(model, request(model_id=model_id)), ModelReply)

    assert prepared == [MODEL_ID, "another.model-v1:0"]
    assert bedrock.counters().calls == 4


def test_connections_are_kept_from_one_event_loop_to_the_next(recorder: Recorder, aws_session: boto3.Session) -> None:
    model = BedrockModel(model_id="m", region="us-east-1", endpoint_url=recorder.url, session=aws_session)
    with closing(model):
        for _ in range(3):
            assert isinstance(ask(model), ModelReply)

    assert len({sent.port for sent in recorder.requests}) == 1


@pytest.mark.parametrize("body", [b"null", b"[]", b"{}", b"", b"<html>"])
def test_a_200_without_a_response_in_it_is_asked_for_once(aws_session: boto3.Session, body: bytes) -> None:
    with recording(answer=body) as recorder:
        model = BedrockModel(model_id="m", region="us-east-1", endpoint_url=recorder.url, session=aws_session)
        with closing(model):
            answer = ask(model)

    assert isinstance(answer, ModelFailure)
    assert answer.code == "bad_response"
    assert len(recorder.requests) == 1


def test_in_aws_lambda_each_call_names_its_own_trace(
    recorder: Recorder, aws_session: boto3.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "evaluate")
    model = BedrockModel(model_id="m", region="us-east-1", endpoint_url=recorder.url, session=aws_session)
    with closing(model):
        for trace in ("Root=1-a", "Root=1-b"):
            monkeypatch.setenv("_X_AMZN_TRACE_ID", trace)
            assert isinstance(ask(model), ModelReply)

    assert [sent.headers["x-amzn-trace-id"] for sent in recorder.requests] == ["Root=1-a", "Root=1-b"]


@pytest.fixture
def written_by_boto3(aws_session: boto3.Session) -> Iterator[Callable[[dict[str, Any]], bytes]]:
    """Give what boto3 would send as the body of a call."""
    written: list[bytes] = []

    def take(params: dict[str, Any], **_event: object) -> tuple[HttpReply, dict[str, Any]]:
        written.append(params["body"])
        return HttpReply(200, {}, b""), {}

    def write(call: dict[str, Any]) -> bytes:
        client.converse(**call)
        return written.pop()

    with closing(aws_session.client("bedrock-runtime", region_name="us-east-1")) as client:
        client.meta.events.register("before-call.bedrock-runtime.Converse", take)
        yield write


@pytest.mark.parametrize("mode", OutputMode)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.tuples(TEXTS, TEXTS), temperature=st.floats(0, 1))
def test_a_body_is_the_one_that_boto3_writes(
    written_by_boto3: Callable[[dict[str, Any]], bytes], mode: OutputMode, texts: tuple[str, str], temperature: float
) -> None:
    call = converse_request(request(temperature=temperature), MODEL_ID, mode, nonce="0")
    call["system"][0]["text"], call["messages"][0]["content"][0]["text"] = texts

    assert json.loads(body_of(call)) == json.loads(written_by_boto3(call))


class Vending:
    """A source of credentials that expire, and that takes its time once it is told to."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.gives = threading.Event()
        self.gives.set()
        self.keys = 0

    def vend(self) -> dict[str, str]:
        self.asked.set()
        assert self.gives.wait(60)
        self.keys += 1
        expiry = (datetime.now(UTC) + timedelta(minutes=20)).isoformat()
        return {"access_key": f"KEY{self.keys}", "secret_key": "s", "token": "t", "expiry_time": expiry}

    def session(self) -> tuple[boto3.Session, RefreshableCredentials]:
        credentials = RefreshableCredentials.create_from_metadata(self.vend(), self.vend, "test")
        plain = get_session()
        plain._credentials = credentials  # pyright: ignore  # noqa: PGH003, botocore has no other way
        return boto3.Session(botocore_session=plain), credentials


def test_the_loop_does_not_wait_for_credentials_that_are_renewed(recorder: Recorder) -> None:
    vending = Vending()
    session, credentials = vending.session()
    old = BedrockModel(model_id="m", region="us-east-1", endpoint_url=recorder.url, session=session)
    other = BedrockModel(
        model_id="n",
        region="us-east-1",
        endpoint_url=recorder.url,
        session=boto3.Session(aws_access_key_id="k", aws_secret_access_key="s"),
    )

    async def ask_both() -> None:
        vending.asked.clear()
        vending.gives.clear()
        credentials._expiry_time = datetime.now(UTC) + timedelta(minutes=1)  # pyright: ignore  # noqa: PGH003
        waiting = asyncio.create_task(old.ask(request()))
        assert await asyncio.to_thread(vending.asked.wait, 60)
        assert isinstance(await other.ask(request()), ModelReply)
        vending.gives.set()
        assert isinstance(await waiting, ModelReply)

    with closing(old), closing(other):
        asyncio.run(ask_both())

    signed_with = [sent.headers["authorization"].split("Credential=")[1].split("/")[0] for sent in recorder.requests]
    assert signed_with == ["k", "KEY2"]
