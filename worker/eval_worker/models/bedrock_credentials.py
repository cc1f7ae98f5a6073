"""The AWS session that Bedrock is called with, and whether it has anything to sign with."""

# botocore ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Generator
from contextlib import contextmanager

import boto3
import botocore.session
from botocore.exceptions import BotoCoreError
from botocore.utils import get_token_from_environment

from eval_worker.errors import SettingsError

# The instance metadata service is asked twice, and where there is none, packets may vanish.
_METADATA_TIMEOUT_SECONDS = 0.5
_DEFAULT_METADATA_TIMEOUT_SECONDS = 1

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
        core = botocore.session.get_session()
        if core.get_config_variable("metadata_service_timeout") == _DEFAULT_METADATA_TIMEOUT_SECONDS:
            core.set_config_variable("metadata_service_timeout", _METADATA_TIMEOUT_SECONDS)
        return boto3.Session(botocore_session=core)


def check_credentials(session: boto3.Session) -> None:
    """Make sure that there is something to sign with. Whether AWS accepts it shows with the first event.

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
        raise SettingsError(f"the AWS configuration is wrong, correct the AWS_ variables or files: {' '.join(str(error).split())}") from error
