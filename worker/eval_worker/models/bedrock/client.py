"""The boto3 client for Converse, opened so that a call does little that Converse has no use for.

As it comes, botocore spends a quarter of a call's processor time on checking its form and on saying who calls, and half
of it on the rest of what `FastPath` does in less.
"""

# boto3 ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import os
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from typing import Any, Protocol, cast

import boto3
import botocore
from botocore.config import Config
from botocore.handlers import add_retry_headers

from eval_worker.models.bedrock.credentials import open_session, wrong_configuration_is_a_settings_error
from eval_worker.models.bedrock.fast_path import FastPath, open_fast_path
from eval_worker.models.calls_loop import tell_calls_loop
from eval_worker.models.daemon_thread_pool import DaemonThreadPool

_SERVICE = "bedrock-runtime"
_LONGEST_CONNECT_SECONDS = 5


class _BotoClient(Protocol):
    """The part of boto3's client that is used; boto3 makes its methods at run time and ships no types for them."""

    meta: Any

    def converse(self, **request: Any) -> Mapping[str, Any]: ...

    def close(self) -> None: ...


class BedrockClient:
    """What can be asked of Bedrock, and the connections that are kept for it. All is of the loop of the calls."""

    def __init__(self, client: _BotoClient, threads: DaemonThreadPool, fast_path: FastPath | None) -> None:
        self.meta = client.meta
        self._client = client
        self._threads = threads
        self._fast_path = fast_path

    async def converse(self, call: Mapping[str, Any]) -> Mapping[str, Any]:
        """Make the call: boto3 itself, in a thread, where there is something out of the ordinary about it.

        Raises:
            ClientError, BotoCoreError: as boto3 has them.
        """
        if self._fast_path is not None and (outline := self._fast_path.outline(call)) is not None:
            return await self._fast_path.converse(call, outline)
        return await self._threads.run(partial(self._client.converse, **call))

    def close(self) -> None:
        """Let go of all connections; whoever calls it."""
        self._threads.close()
        self._client.close()
        if self._fast_path is not None:
            tell_calls_loop(self._fast_path.close)


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
    session = session or open_session()
    connect_timeout = min(_LONGEST_CONNECT_SECONDS, timeout_seconds)
    config = Config(
        connect_timeout=connect_timeout,
        read_timeout=timeout_seconds,
        retries={"total_max_attempts": 1, "mode": "standard"},
        max_pool_connections=connections,
        tcp_keepalive=True,
        parameter_validation=validates,
    )
    with wrong_configuration_is_a_settings_error():
        make = partial(session.client, _SERVICE, region_name=region, endpoint_url=endpoint_url)
        with closing(cast("_BotoClient", make(config=config))) as plain:
            fixed = _user_agent_of(plain)
        client = cast("_BotoClient", make(config=config.merge(fixed)))
    client.meta.events.unregister("request-created", add_retry_headers)  # there is one attempt to tell of
    threads = DaemonThreadPool(connections, "bedrock")
    fast_path = open_fast_path(
        client,
        session.get_credentials(),
        ca_bundle=_ca_bundle(session),
        connect_seconds=connect_timeout,
        silence_seconds=timeout_seconds,
        in_thread=threads.run,
    )
    return BedrockClient(client, threads, fast_path)


def _ca_bundle(session: boto3.Session) -> str | None:
    """Return the file of trusted authorities that boto3 would use: of the profile or of one of two variables."""
    settings: Any = session._session  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001, boto3 shows no other way
    return settings.get_config_variable("ca_bundle") or os.environ.get("REQUESTS_CA_BUNDLE")


def _user_agent_of(client: _BotoClient) -> Config:
    """Return the client's own User-Agent as a fixed text: without one, botocore makes it up anew, twice a call."""
    config = client.meta.config
    added_anyway = f" Botocore/{botocore.__version__}"
    application = f"app/{config.user_agent_appid}" if config.user_agent_appid else None
    return Config(user_agent=config.user_agent.removesuffix(added_anyway), user_agent_extra=application)
