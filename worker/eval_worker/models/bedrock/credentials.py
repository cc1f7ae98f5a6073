"""The AWS session that Bedrock is called with, and whether it has anything to sign with."""

# botocore ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Generator
from contextlib import contextmanager

import boto3
from botocore.exceptions import BotoCoreError
from botocore.utils import get_token_from_environment

from eval_worker.errors import SettingsError
from eval_worker.redaction import without_secrets

_NO_CREDENTIALS = (
    "JUDGE_MODEL: bedrock needs AWS credentials and there are none: configure them (AWS_ACCESS_KEY_ID and "
    "AWS_SECRET_ACCESS_KEY, a profile or a role), or run without a network with --judge-model offline "
    "(JUDGE_MODEL=offline)"
)


def open_session() -> boto3.Session:
    """Read the usual AWS configuration: environment, files, profile, role.

    Raises:
        SettingsError: the profile does not exist, or a configuration file can't be read.
    """
    with wrong_configuration_is_a_settings_error():
        return boto3.Session()


def check_credentials(session: boto3.Session) -> None:
    """Make sure that there is something to sign with. Whether AWS accepts it shows with the first event.

    Where nothing is configured, botocore asks the instance metadata service; one that keeps silent costs two seconds.

    Raises:
        SettingsError: there are neither keys, profile, role nor AWS_BEARER_TOKEN_BEDROCK, or they can't be read.
    """
    if get_token_from_environment("bedrock"):
        return
    with wrong_configuration_is_a_settings_error():
        found = session.get_credentials()
    if found is None:
        raise SettingsError(_NO_CREDENTIALS)


@contextmanager
def wrong_configuration_is_a_settings_error() -> Generator[None, None, None]:
    try:
        yield
    except (BotoCoreError, ValueError) as error:
        problem = " ".join(without_secrets(str(error)).split())
        raise SettingsError(
            f"the AWS configuration is wrong, correct the AWS_ variables or files: {problem}"
        ) from error
