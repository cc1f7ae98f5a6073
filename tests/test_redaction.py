"""What is taken out of texts that others wrote, and what is left in."""

import pytest

from eval_worker.redaction import secret_values, without_secrets
from eval_worker.settings import load_settings


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: AWS4-HMAC-SHA256 Credential=abc/x", "[…]"),
        ("sent Bearer abc.def to it", "sent […] to it"),
        ("x-amz-security-token:FwoGZXIv+/==\nhost:h", "[…]\nhost:h"),
        ("key AKIAIOSFODNN7EXAMPLE is unknown", "key […] is unknown"),
        ("Incorrect API key provided: sk-proj-****************wxyz.", "Incorrect API key provided: […]."),
        ("gsk_0123456789abcdefXYZ and AIzaSyA0123456789-abcdefghi", "[…] and […]"),
        ("http://me:a/b@proxy:1 is down", "http://[…]proxy:1 is down"),
        ("unknown command 'AUTH', with args beginning with: 'me' 'pw'", "unknown command 'AUTH', […]"),
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str, shown: str):
    assert without_secrets(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn and task-0123456789abcdefghij are no keys",
        "Bearer authentication requires an HTTPS endpoint.",
        "NOPERM User eval-worker has no permissions to run the 'xadd' command",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ],
)
def test_what_does_not_is_left(text: str):
    assert without_secrets(text) == text


def test_known_secrets_are_hidden_whole_though_one_is_part_of_another():
    assert without_secrets("a swordfish-2 b swordfish c", ["swordfish", "swordfish-2"]) == "a […] b […] c"


def test_a_secret_too_short_to_be_one_hides_nothing():
    assert without_secrets("connection refused", ["e", ""]) == "connection refused"


def test_the_settings_know_every_secret_as_it_is_written_and_as_it_is_meant():
    settings = load_settings(
        redis_url="redis://me:p%40ss@h",
        redis_password="other",
        aws_secret_access_key="key",
        aws_session_token="session",
        aws_bearer_token_bedrock="bearer",
        http_proxy="http://me:one@h",
        https_proxy="http://h",
    )

    assert settings.secrets >= {"p%40ss", "p@ss", "other", "key", "session", "bearer", "one"}


def test_a_document_has_secrets_where_its_names_say_so():
    document = {
        "model": "gpt",
        "max_tokens": 9,
        "tokenizer": "bpe",
        "api_key": "one",
        "headers": [{"Authorization": "Bearer two"}, {"x-api-key": ["three"]}],
        "auth_token": {"value": "four"},
        "base_url": "https://me:fi%40ve@host",
    }

    assert secret_values(document) == {"one", "Bearer two", "two", "three", "four", "fi%40ve", "fi@ve"}
