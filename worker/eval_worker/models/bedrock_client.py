"""The boto3 client for Converse, opened so that a call does little that Converse has no use for.

As it comes, botocore spends a quarter of a call's processor time on checking its form and on saying who calls.
"""

# boto3 ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Mapping
from contextlib import closing
from functools import partial
from typing import Any, Protocol, cast

import boto3
import botocore
from botocore.config import Config
from botocore.handlers import add_retry_headers

from eval_worker.models.bedrock_credentials import open_session, wrong_configuration_is_a_settings_error

_SERVICE = "bedrock-runtime"
_LONGEST_CONNECT_SECONDS = 5


class BedrockClient(Protocol):
    """The part of boto3's client that is used; boto3 makes its methods at run time and ships no types for them."""

    meta: Any

    def converse(self, **request: Any) -> Mapping[str, Any]: ...

    def close(self) -> None: ...


def open_client(
    session: boto3.Session | None,
    *,
    region: str | None,
    endpoint_url: str | None,
    timeout_seconds: float,
    connections: int,
    validates: bool,
) -> BedrockClient:
    """Open it; no call is made. `validates` has botocore check each request against its model of Converse.

    Raises:
        SettingsError: the region, the endpoint, the profile or a file of the AWS configuration is wrong.
    """
    config = Config(
        connect_timeout=min(_LONGEST_CONNECT_SECONDS, timeout_seconds),
        read_timeout=timeout_seconds,
        retries={"total_max_attempts": 1, "mode": "standard"},
        max_pool_connections=connections,
        tcp_keepalive=True,
        parameter_validation=validates,
    )
    with wrong_configuration_is_a_settings_error():
        make = partial((session or open_session()).client, _SERVICE, region_name=region, endpoint_url=endpoint_url)
        with closing(cast("BedrockClient", make(config=config))) as plain:
            fixed = _user_agent_of(plain)
        client = cast("BedrockClient", make(config=config.merge(fixed)))
    client.meta.events.unregister("request-created", add_retry_headers)  # there is one attempt to tell of
    return client


def _user_agent_of(client: BedrockClient) -> Config:
    """Return the client's own User-Agent as a fixed text: without one, botocore makes it up anew, twice a call."""
    config = client.meta.config
    added_anyway = f" Botocore/{botocore.__version__}"
    application = f"app/{config.user_agent_appid}" if config.user_agent_appid else None
    return Config(user_agent=config.user_agent.removesuffix(added_anyway), user_agent_extra=application)
