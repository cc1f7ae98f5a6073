"""The boto3 client: what a call tells, how it is sent, and what it leaves out."""

import asyncio
import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import boto3
import botocore
import pytest
from botocore.client import BaseClient
from botocore.config import Config
from botocore.exceptions import InvalidEndpointConfigurationError, NoCredentialsError, SSLError
from botocore.session import get_session
from tests.models.bedrock.calls import MODEL_ID, MODES, request
from tests.models.bedrock.recorded_requests import Recorder, recording
from tests.servers.certificates import make_certificates

from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.model import BadReply
from eval_worker.models.bedrock.client import BedrockClient, open_client
from eval_worker.models.bedrock.concessions import CACHE_POINT
from eval_worker.models.bedrock.request import OutputMode, converse_request
from eval_worker.models.calls_loop import in_calls_loop
from eval_worker.testing import FakeBedrock

NO_REPAIR = None
REPAIR = BadReply("", "level: is required")
CALL = converse_request(request(), MODEL_ID, OutputMode.TOOL, nonce="0")
BY_BOTOCORE = "before-send.bedrock-runtime.Converse"


def opened(session: boto3.Session, url: str, *, validates: bool = False) -> BedrockClient:
    return open_client(
        session, region="us-east-1", endpoint_url=url, timeout_seconds=5, connections=1, validates=validates
    )


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    with recording() as recorder:
        yield recorder


class TlsRecorder(NamedTuple):
    recorder: Recorder
    authority: Path


@pytest.fixture
def tls(tmp_path: Path) -> Iterator[TlsRecorder]:
    made = make_certificates(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.certificate, made.key)
    with recording(context) as recorder:
        yield TlsRecorder(recorder, made.authority)


def converse(client: BedrockClient, call: Mapping[str, Any] = CALL) -> Mapping[str, Any]:
    async def awaited() -> Mapping[str, Any]:
        return await in_calls_loop(partial(client.converse, call))

    return asyncio.run(awaited())


def sent_by_botocore(client: BedrockClient) -> list[Any]:
    """Make one call, and return what of it botocore's own transport was given."""
    sent: list[Any] = []
    client.meta.events.register(BY_BOTOCORE, lambda request, **_event: sent.append(request))
    converse(client)
    return sent


def test_a_call_says_which_boto3_asks(recorder: Recorder, aws_session: boto3.Session) -> None:
    with closing(opened(aws_session, recorder.url)) as client:
        converse(client)

    words = recorder.requests[0].headers["user-agent"].split()
    assert f"Boto3/{boto3.__version__}" in words
    assert words.count(f"Botocore/{botocore.__version__}") == 1


def test_a_call_names_the_users_application(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SDK_UA_APP_ID", "support-desk")
    session = boto3.Session(aws_access_key_id="fake", aws_secret_access_key="fake")

    with closing(opened(session, recorder.url)) as client:
        converse(client)

    assert "app/support-desk" in recorder.requests[0].headers["user-agent"].split()


def test_a_call_is_signed_and_tells_of_no_attempts(recorder: Recorder, aws_session: boto3.Session) -> None:
    with closing(opened(aws_session, recorder.url)) as client:
        converse(client)

    headers = recorder.requests[0].headers
    assert headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=")
    assert not [name for name in headers if name.startswith("amz-sdk-")]


def test_an_ordinary_call_sends_and_returns_what_boto3_alone_would(
    recorder: Recorder, aws_session: boto3.Session
) -> None:
    plain = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=f"{recorder.url}/below")
    with closing(plain), closing(opened(aws_session, f"{recorder.url}/below")) as client:
        expected = plain.converse(**CALL)
        answer = converse(client)
        assert sent_by_botocore(client) == []

    by_boto3, ours, _again = recorder.requests
    assert (ours.target, json.loads(ours.body)) == (by_boto3.target, json.loads(by_boto3.body))
    del expected["ResponseMetadata"]
    assert answer == expected


def test_a_call_with_a_bearer_token_needs_no_signature(tls: TlsRecorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_CA_BUNDLE", str(tls.authority))
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "an-api-key")

    with closing(opened(boto3.Session(), tls.recorder.url)) as client:
        assert sent_by_botocore(client) == []

    assert tls.recorder.requests[0].headers["authorization"] == "Bearer an-api-key"


def test_a_bearer_token_is_told_to_nobody_in_the_clear(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "an-api-key")

    with closing(opened(boto3.Session(), recorder.url)) as client, pytest.raises(InvalidEndpointConfigurationError):
        converse(client)

    assert recorder.requests == []


def test_without_credentials_a_call_is_not_made(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)

    with closing(opened(boto3.Session(), recorder.url)) as client, pytest.raises(NoCredentialsError):
        converse(client)

    assert recorder.requests == []


def test_a_call_through_a_proxy_is_left_to_boto3(
    recorder: Recorder, aws_session: boto3.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", recorder.url)

    with closing(opened(aws_session, "http://bedrock.invalid")) as client:
        assert sent_by_botocore(client)

    assert recorder.requests[0].target.startswith("http://bedrock.invalid/model/")


@pytest.mark.parametrize("event", ["before-send", "before-sign", "provide-client-params", "after-call"])
def test_a_call_that_somebody_listens_to_is_left_to_boto3(recorder: Recorder, event: str) -> None:
    heard: list[str] = []
    session = boto3.Session(aws_access_key_id="fake", aws_secret_access_key="fake")
    session.events.register(f"{event}.bedrock-runtime", lambda **_event: heard.append(event))

    with closing(opened(session, recorder.url)) as client:
        converse(client)
        converse(client)

    assert heard == [event] * 2
    assert len(recorder.requests) == 2


def test_a_call_that_somebody_stands_in_for_is_left_to_boto3(
    recorder: Recorder, aws_session: boto3.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    original = BaseClient._make_api_call  # pyright: ignore  # noqa: PGH003, what tracing libraries replace

    def traced(client: Any, operation: str, arguments: Any) -> Any:
        made.append(operation)
        return original(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", traced)

    with closing(opened(aws_session, recorder.url)) as client:
        converse(client)
        converse(client)

    assert made == ["Converse"] * 2


def test_a_proxy_of_the_sessions_own_configuration_is_left_to_boto3(recorder: Recorder) -> None:
    plain = get_session()
    plain.set_default_client_config(Config(proxies={"http": recorder.url}))
    session = boto3.Session(aws_access_key_id="fake", aws_secret_access_key="fake", botocore_session=plain)

    with closing(opened(session, "http://bedrock.invalid")) as client:
        converse(client)

    assert recorder.requests[0].target.startswith("http://bedrock.invalid/model/")


@pytest.mark.parametrize("variable", ["AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE"])
def test_an_endpoint_is_trusted_by_the_bundle_that_is_configured(
    tls: TlsRecorder, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, str(tls.authority))
    session = boto3.Session(aws_access_key_id="fake", aws_secret_access_key="fake")

    with closing(opened(session, tls.recorder.url)) as client:
        assert sent_by_botocore(client) == []

    assert len(tls.recorder.requests) == 1


@pytest.mark.parametrize("content", [None, "", "no certificate"], ids=["missing", "empty", "other"])
def test_a_bundle_without_certificates_stops_the_start(
    aws_session: boto3.Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str | None
) -> None:
    bundle = tmp_path / "bundle.pem"
    if content is not None:
        bundle.write_text(content)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(bundle))

    with pytest.raises(SettingsError, match=r"REQUESTS_CA_BUNDLE.*bundle\.pem"):
        opened(aws_session, "https://127.0.0.1:1")


def test_an_endpoint_that_nobody_vouches_for_is_told_nothing(tls: TlsRecorder, aws_session: boto3.Session) -> None:
    with closing(opened(aws_session, tls.recorder.url)) as client, pytest.raises(SSLError, match="certificate"):
        converse(client)

    assert tls.recorder.requests == []


def test_an_endpoint_with_a_certificate_of_another_name_is_told_nothing(
    aws_session: boto3.Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = make_certificates(tmp_path, names="DNS:elsewhere.example")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(made.authority))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.certificate, made.key)

    with recording(context) as recorder, closing(opened(aws_session, recorder.url)) as client:
        with pytest.raises(SSLError, match="certificate"):
            converse(client)
        assert recorder.requests == []


@pytest.mark.parametrize("repair", [NO_REPAIR, REPAIR], ids=["first", "repair"])
@pytest.mark.parametrize("mode", MODES)
def test_a_request_is_one_that_botocores_own_check_would_take(
    bedrock: FakeBedrock, aws_session: boto3.Session, mode: str, repair: BadReply | None
) -> None:
    call = converse_request(request(temperature=0.5, repair=repair), MODEL_ID, OutputMode(mode), nonce="0")
    call["system"].append(CACHE_POINT)

    with closing(opened(aws_session, bedrock.url, validates=True)) as client:
        converse(client, call)

    assert bedrock.counters().calls == 1
