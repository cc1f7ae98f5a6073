"""Signatures, held against botocore's own signer."""

from datetime import UTC, datetime

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from hypothesis import given
from hypothesis import strategies as st

from eval_worker.models.bedrock.sigv4 import Scope, signed

LASTING = ReadOnlyCredentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", None)
TEMPORARY = ReadOnlyCredentials("ASIDEXAMPLE", "secret/+=", "a token/+==")
URLS = (
    "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-3-5-haiku-20241022-v1%3A0/converse",
    "https://bedrock-runtime.us-east-1.amazonaws.com:443/model/arn%3Aaws%3Abedrock%3A%2Fanthropic.claude/converse",
    "http://127.0.0.1:8080/behind/a//path/../model/x~y%20z/converse",
    "http://[::1]:80/model/x/converse",
    "http://User:Word@LOCALHOST:81",
)
HEADERS = {"Content-Type": "application/json", "User-Agent": "Boto3/1", "X-Amzn-Trace-Id": "Root=1", "X-Odd": " a  b "}


def by_botocore(credentials: ReadOnlyCredentials, scope: Scope, url: str, body: bytes) -> dict[str, str]:
    request = AWSRequest("POST", url, dict(HEADERS), body)
    SigV4Auth(credentials, scope.service, scope.region).add_auth(request)
    return dict(request.headers.items())


def time_of(headers: dict[str, str]) -> datetime:
    return datetime.strptime(headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("credentials", [LASTING, TEMPORARY], ids=["lasting", "temporary"])
def test_a_request_is_signed_as_botocore_would(credentials: ReadOnlyCredentials, url: str) -> None:
    scope = Scope("us-east-1", "bedrock")
    expected = by_botocore(credentials, scope, url, b'{"a": 1}')

    assert signed(credentials, scope, url=url, headers=HEADERS, body=b'{"a": 1}', at=time_of(expected)) == expected


@given(key=st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1), body=st.binary())
def test_every_secret_and_every_body_is_signed_alike(key: str, body: bytes) -> None:
    credentials, scope = ReadOnlyCredentials("AKIDEXAMPLE", key, None), Scope("eu-central-1", "bedrock")
    expected = by_botocore(credentials, scope, URLS[0], body)

    assert signed(credentials, scope, url=URLS[0], headers=HEADERS, body=body, at=time_of(expected)) == expected


def test_a_day_later_the_key_is_another() -> None:
    scope = Scope("us-east-1", "bedrock")
    today, tomorrow = (
        signed(LASTING, scope, url=URLS[0], headers={}, body=b"", at=datetime(2026, 1, day, tzinfo=UTC))
        for day in (1, 2)
    )

    assert "/20260102/us-east-1/bedrock/aws4_request" in tomorrow["Authorization"]
    assert today["Authorization"].rpartition("=")[2] != tomorrow["Authorization"].rpartition("=")[2]
