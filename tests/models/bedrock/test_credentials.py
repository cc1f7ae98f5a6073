"""What stops the start: credentials that are missing, or a configuration that can't be read."""

from pathlib import Path

import boto3
import pytest

from eval_worker.errors import SettingsError
from eval_worker.models.bedrock.credentials import check_credentials, open_session
from eval_worker.models.bedrock.model import BedrockModel


def test_no_credentials_at_all_name_both_ways_out() -> None:
    with pytest.raises(SettingsError) as caught:
        check_credentials(open_session())

    message = str(caught.value)
    assert "\n" not in message
    for way_out in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "--judge-model offline", "JUDGE_MODEL=offline"):
        assert way_out in message


def test_keys_in_the_environment_are_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "fake")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "fake")

    check_credentials(open_session())


def test_a_bearer_token_is_a_credential(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "fake")

    check_credentials(open_session())


def test_a_profile_is_a_credential(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "credentials"
    file.write_text("[judges]\naws_access_key_id = fake\naws_secret_access_key = fake\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    monkeypatch.setenv("AWS_PROFILE", "judges")

    check_credentials(open_session())


def test_a_role_to_assume_is_a_credential_and_is_not_assumed_yet(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "config"
    file.write_text(
        "[profile base]\naws_access_key_id = fake\naws_secret_access_key = fake\n"
        "[profile judges]\nrole_arn = arn:aws:iam::123456789012:role/judges\nsource_profile = base\n"
    )
    monkeypatch.setenv("AWS_CONFIG_FILE", str(file))
    monkeypatch.setenv("AWS_PROFILE", "judges")

    check_credentials(open_session())


def test_a_session_of_ones_own_is_checked_as_it_is() -> None:
    check_credentials(boto3.Session(aws_access_key_id="fake", aws_secret_access_key="fake"))


def test_a_key_without_its_secret_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "fake")

    with pytest.raises(SettingsError, match="AWS_SECRET_ACCESS_KEY"):
        check_credentials(open_session())


def test_a_profile_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")

    with pytest.raises(SettingsError, match="nobody"):
        check_credentials(open_session())
    with pytest.raises(SettingsError, match="nobody"):
        BedrockModel(model_id="m", region="us-east-1")


def test_a_broken_configuration_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text("[default\nregion = us-east-1\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(file))

    with pytest.raises(SettingsError, match=str(file)):
        check_credentials(open_session())
