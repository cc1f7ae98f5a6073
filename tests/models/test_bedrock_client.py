"""The boto3 client: what it leaves out of each call, and what it must not."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import boto3
import botocore
import pytest
from tests.models.bedrock_calls import MODEL_ID, MODES, request

from eval_worker.evaluation.judges.model import BadReply
from eval_worker.models.bedrock_client import BedrockClient, open_client
from eval_worker.models.bedrock_concessions import CACHE_POINT
from eval_worker.models.bedrock_request import OutputMode, converse_request
from eval_worker.testing import FakeBedrock

NO_REPAIR = None
REPAIR = BadReply("", "level: is required")


def opened(session: boto3.Session, url: str, *, validates: bool = False) -> BedrockClient:
    return open_client(
        session, region="us-east-1", endpoint_url=url, timeout_seconds=5, connections=1, validates=validates
    )


@pytest.fixture
def client(bedrock: FakeBedrock, aws_session: boto3.Session) -> Iterator[BedrockClient]:
    with closing(opened(aws_session, bedrock.url)) as client:
        yield client


def headers_sent(client: BedrockClient) -> dict[str, str]:
    sent: list[dict[str, str]] = []

    def keep(request: Any, **_event: Any) -> None:
        sent.append(
            {name.lower(): value.decode() for name, value in request.headers.items() if name != "Content-Length"}
        )

    client.meta.events.register("before-send.bedrock-runtime.Converse", keep)
    client.converse(**converse_request(request(), MODEL_ID, OutputMode.TOOL, nonce="0"))
    return sent[0]


def test_a_call_says_which_boto3_asks(client: BedrockClient) -> None:
    words = headers_sent(client)["user-agent"].split()

    assert f"Boto3/{boto3.__version__}" in words
    assert words.count(f"Botocore/{botocore.__version__}") == 1


def test_a_call_names_the_users_application(bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SDK_UA_APP_ID", "support-desk")
    session = boto3.Session(aws_access_key_id="fake", aws_secret_access_key="fake")

    with closing(opened(session, bedrock.url)) as client:
        assert "app/support-desk" in headers_sent(client)["user-agent"].split()


def test_a_call_is_signed_and_tells_of_no_attempts(client: BedrockClient) -> None:
    sent = headers_sent(client)

    assert sent["authorization"].startswith("AWS4-HMAC-SHA256 Credential=")
    assert not [name for name in sent if name.startswith("amz-sdk-")]


@pytest.mark.parametrize("repair", [NO_REPAIR, REPAIR], ids=["first", "repair"])
@pytest.mark.parametrize("mode", MODES)
def test_a_request_is_one_that_botocores_own_check_would_take(
    bedrock: FakeBedrock, aws_session: boto3.Session, mode: str, repair: BadReply | None
) -> None:
    call = converse_request(request(temperature=0.5, repair=repair), MODEL_ID, OutputMode(mode), nonce="0")
    call["system"].append(CACHE_POINT)

    with closing(opened(aws_session, bedrock.url, validates=True)) as client:
        client.converse(**call)

    assert bedrock.counters().calls == 1
