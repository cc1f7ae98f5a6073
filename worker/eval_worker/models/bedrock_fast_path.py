"""The way of an ordinary Converse call: signed, sent and read with less ado than botocore makes of calls of any kind.

boto3 still finds the endpoint and the credentials, writes the request and raises the errors. It asks the handlers of
its event `before-call` whether one of them has the response, and `FastPath` has it. What is not ordinary (a bearer
token, another signature, a proxy) it leaves to boto3 by having none.
"""

# botocore ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import json
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import urlsplit

import urllib3
from botocore import exceptions as boto
from botocore.httpsession import create_urllib3_context, get_cert_path
from botocore.parsers import create_parser
from botocore.utils import get_environ_proxies
from urllib3 import exceptions as http

from eval_worker.errors import SettingsError
from eval_worker.models.sigv4 import Credentials, Scope, signed

_EVENTS = "bedrock-runtime.Converse"
_SIGNATURE = "v4"
_OK = 200
_AT_ONCE = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
_KEPT_ALIVE = (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

# What botocore makes of urllib3's exceptions; in order, for some are subclasses of others.
_EXCEPTIONS: tuple[tuple[type[Exception], Callable[..., Exception]], ...] = (
    (http.SSLError, boto.SSLError),
    (http.NewConnectionError, boto.EndpointConnectionError),
    (http.ConnectTimeoutError, boto.ConnectTimeoutError),
    (http.ReadTimeoutError, boto.ReadTimeoutError),
    (http.ProtocolError, boto.ConnectionClosedError),
)


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What came back, by the names of botocore."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes


class FastPath:
    """Connections to one endpoint, kept between calls. May be shared by threads."""

    def __init__(
        self,
        origin: str,
        connections: urllib3.HTTPConnectionPool,
        events: Any,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Have all connections go to `origin`, as in `https://host:port`; `events` are those of the client."""
        self._origin = origin
        self._connections = connections
        self._events = events
        self._clock = clock

    def respond(
        self,
        *,
        model: Any,
        params: dict[str, Any],
        request_signer: Any,
        context: dict[str, Any],
        **_event: object,
    ) -> tuple[HttpReply, dict[str, Any]] | None:
        """Make the call that boto3 is about to make, and return what it would; None leaves it to boto3.

        Raises:
            BotoCoreError: there was no response, or none that can be read; the classes are botocore's own for it.
        """
        credentials = self._credentials(request_signer, context)
        if credentials is None or not params["url"].startswith(f"{self._origin}/"):
            return None
        scope = Scope(request_signer.region_name, request_signer.signing_name)
        url, body = params["url"], params["body"]
        headers = signed(credentials, scope, url=url, headers=params["headers"], body=body, at=self._clock())
        reply = self._send(url, headers, body)
        return reply, _parsed(reply, model)

    def close(self) -> None:
        self._connections.close()

    def _credentials(self, signer: Any, context: dict[str, Any]) -> Credentials | None:
        """Return what to sign with, as boto3's signer would choose it; None if it would sign in another way."""
        name, region = signer.signing_name, signer.region_name
        planned = context.get("auth_type") or signer.signature_version
        _handler, chosen = self._events.emit_until_response(
            f"choose-signer.{_EVENTS}",
            signing_name=name,
            region_name=region,
            signature_version=planned,
            context=context,
        )
        if (chosen or planned) != _SIGNATURE or context.get("signing"):
            return None
        return signer.get_auth_instance(name, region, _SIGNATURE).credentials

    def _send(self, url: str, headers: dict[str, str], body: bytes) -> HttpReply:
        try:
            reply = self._connections.urlopen(
                "POST",
                url.removeprefix(self._origin),
                body=body,
                headers=headers,
                retries=False,
                redirect=False,
            )
        except http.HTTPError as error:
            for caught, made in _EXCEPTIONS:
                if isinstance(error, caught):
                    raise made(endpoint_url=url, error=error) from error
            raise boto.HTTPClientError(error=error) from error
        return HttpReply(reply.status, cast("Mapping[str, str]", reply.headers), reply.data)


def open_fast_path(
    client: Any, *, ca_bundle: str | None, timeout: urllib3.Timeout, connections: int
) -> FastPath | None:
    """Have this boto3 client take it, unless a proxy stands before its endpoint. No connection is made.

    `ca_bundle` is the file of trusted authorities; None is the one that comes with botocore or certifi.

    Raises:
        SettingsError: the bundle can't be read, or holds no certificate.
    """
    if get_environ_proxies(client.meta.endpoint_url):
        return None
    endpoint = urlsplit(client.meta.endpoint_url)
    origin = f"{endpoint.scheme}://{endpoint.netloc}"
    pool = urllib3.connection_from_url(
        origin,
        timeout=timeout,
        maxsize=connections,
        socket_options=[_AT_ONCE, _KEPT_ALIVE],
        **({"ssl_context": _trusting(ca_bundle)} if endpoint.scheme == "https" else {}),
    )
    fast_path = FastPath(origin, pool, client.meta.events)
    client.meta.events.register_last(f"before-call.{_EVENTS}", fast_path.respond)
    return fast_path


def _trusting(ca_bundle: str | None) -> ssl.SSLContext:
    """Read the authorities once: botocore reads all hundred and forty again for every connection, for 20 ms."""
    context = create_urllib3_context()
    try:
        context.load_verify_locations(cafile=get_cert_path(ca_bundle or True))
    except OSError as error:
        raise SettingsError(
            f"the AWS configuration is wrong, correct AWS_CA_BUNDLE, REQUESTS_CA_BUNDLE or the profile's ca_bundle: "
            f"{ca_bundle!r} is no file of certificates ({error})"
        ) from error
    return context


def _parsed(reply: HttpReply, model: Any) -> dict[str, Any]:
    if reply.status_code == _OK:
        try:
            return json.loads(reply.content)
        except ValueError:
            pass  # botocore says what is wrong with it
    response = {
        "status_code": reply.status_code,
        "headers": reply.headers,
        "body": reply.content,
        "context": {"operation_name": model.name},
    }
    return create_parser(model.service_model.resolved_protocol).parse(response, model.output_shape)
