"""The way of an ordinary Converse call: signed, sent and read in the loop of the calls, without a thread of its own.

boto3 says where it would send it and with what, and what a failure is. What is not ordinary (a proxy, a token that
expires, another signature, a hook) is left to boto3 as a whole.
"""

# botocore ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import json
import ssl
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from botocore.exceptions import NoCredentialsError
from botocore.httpsession import create_urllib3_context, get_cert_path
from botocore.parsers import create_parser
from botocore.utils import get_environ_proxies

from eval_worker.errors import SettingsError
from eval_worker.models.bedrock.connections import BedrockConnections, HttpReply
from eval_worker.models.bedrock.hooks import has_hooks
from eval_worker.models.bedrock.outline import Call, Outline, Rehearsals, body_of
from eval_worker.models.bedrock.sigv4 import Credentials, host_of, signed

_OPERATION = "Converse"
_OK, _FIRST_FAILURE = 200, 300

InThread = Callable[[Callable[[], Credentials]], Awaitable[Credentials]]


class FastPath:
    """Calls to one endpoint. All is of one event loop."""

    def __init__(
        self,
        client: Any,
        credentials: Any,
        connections: BedrockConnections,
        *,
        in_thread: InThread,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Ask what `client` would, through these connections; `credentials` are botocore's, may expire, or be None."""
        self._client = client
        self._rehearsals = Rehearsals(client)
        self._credentials = credentials
        self._connections = connections
        self._in_thread = in_thread
        self._clock = clock

    def outline(self, call: Call) -> Outline | None:
        """Return how the call is to be made; None leaves it to boto3.

        Raises:
            BotoCoreError: boto3 would not make the call.
        """
        outline = self._rehearsals.outline(call)
        return outline if outline and outline.url.startswith(f"{self._connections.origin}/") else None

    async def converse(self, call: Call, outline: Outline) -> Mapping[str, Any]:
        """Make the call, and return what boto3 would.

        Raises:
            ClientError, BotoCoreError: as boto3 would.
        """
        body = body_of(call)
        headers = {"Host": host_of(outline.url), **outline.headers}
        if outline.scope is not None:
            credentials, at = await self._frozen_credentials(), self._clock()
            headers = signed(credentials, outline.scope, url=outline.url, headers=headers, body=body, at=at)
        headers["Accept-Encoding"] = "identity"  # else some gateways compress
        reply = await self._connections.post(outline.url.removeprefix(self._connections.origin), headers, body)
        return self._read(reply, outline)

    def close(self) -> None:
        self._connections.close()

    async def _frozen_credentials(self) -> Credentials:
        """Those that expire are renewed by a server or a program, for which the loop does not wait."""
        if self._credentials is None:
            raise NoCredentialsError
        needs_refresh = getattr(self._credentials, "refresh_needed", None)
        if needs_refresh is not None and needs_refresh():
            return await self._in_thread(self._credentials.get_frozen_credentials)
        return self._credentials.get_frozen_credentials()

    def _read(self, reply: HttpReply, outline: Outline) -> Mapping[str, Any]:
        if reply.status_code == _OK:
            try:
                return json.loads(reply.content)
            except ValueError:
                pass  # botocore says what is wrong with it
        response = {
            "status_code": reply.status_code,
            "headers": reply.headers,
            "body": reply.content,
            "context": {"operation_name": _OPERATION},
        }
        model = outline.model
        parsed = create_parser(model.service_model.resolved_protocol).parse(response, model.output_shape)
        if reply.status_code < _FIRST_FAILURE:
            return parsed
        raise self._client.exceptions.from_code(parsed.get("Error", {}).get("Code"))(parsed, _OPERATION)


def open_fast_path(
    client: Any,
    credentials: Any,
    *,
    ca_bundle: str | None,
    connect_seconds: float,
    silence_seconds: float,
    in_thread: InThread,
) -> FastPath | None:
    """Return it for this boto3 client, unless a proxy stands before its endpoint or somebody listens to its calls.

    No connection is made. `ca_bundle` is the file of trusted authorities; None is the one that comes with botocore or
    certifi.

    Raises:
        SettingsError: the bundle can't be read, or holds no certificate.
    """
    config = client.meta.config
    if get_environ_proxies(client.meta.endpoint_url) or config.proxies or config.client_cert or has_hooks(client):
        return None
    endpoint = urlsplit(client.meta.endpoint_url)
    origin = f"{endpoint.scheme}://{endpoint.netloc}"
    connections = BedrockConnections(
        origin,
        tls=_trusting(ca_bundle) if endpoint.scheme == "https" else None,
        connect_seconds=connect_seconds,
        silence_seconds=silence_seconds,
    )
    return FastPath(client, credentials, connections, in_thread=in_thread)


def _trusting(ca_bundle: str | None) -> ssl.SSLContext:
    """Read the authorities once: botocore reads all hundred and forty again for every connection, for 20 ms."""
    context = create_urllib3_context()
    context.check_hostname = True  # which urllib3 does by itself
    try:
        context.load_verify_locations(cafile=get_cert_path(ca_bundle or True))
    except OSError as error:
        raise SettingsError(
            f"the AWS configuration is wrong, correct AWS_CA_BUNDLE, REQUESTS_CA_BUNDLE or the profile's ca_bundle: "
            f"{ca_bundle!r} is no file of certificates ({error})"
        ) from error
    return context
