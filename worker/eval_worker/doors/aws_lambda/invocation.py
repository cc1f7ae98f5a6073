"""What Lambda is invoked with: an HTTP request of API Gateway or a function URL, or the bare document."""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from eval_worker.doors.agentic_run.refusal import RunRefusedError

PATH, METHOD = "/run", "POST"
_ONLY_IN_HTTP = frozenset({"requestContext", "httpMethod", "rawPath", "body"})
_LONGEST_SHOWN = 100

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Invocation:
    """`is_http` decides the form of the reply: who invokes the function directly sees no status code."""

    event: object
    is_http: bool

    @classmethod
    def of(cls, event: object) -> "Invocation":
        return cls(event, isinstance(event, Mapping) and not _ONLY_IN_HTTP.isdisjoint(cast("Document", event)))

    def body(self) -> bytes:
        """Return the document that was sent, as bytes.

        Raises:
            RunRefusedError: an HTTP request for something else, or a body that can't be decoded.
        """
        if not self.is_http:
            return json.dumps(self.event).encode()
        event = cast("Document", self.event)
        _check_route(event)
        return _decoded(event.get("body"), encoded=event.get("isBase64Encoded") is True)


def _check_route(event: Document) -> None:
    """Let POST /run through, as both payload versions of API Gateway put it; what they leave out is taken to be it."""
    context = _mapping(event.get("requestContext"))
    http = _mapping(context.get("http"))
    path = str(event.get("rawPath") or event.get("path") or http.get("path") or PATH)
    method = str(event.get("httpMethod") or http.get("method") or METHOD).upper()
    shown = f"{method[:20]} {path[:_LONGEST_SHOWN]}"
    if PATH not in {_below_stage(path, context.get("stage")), event.get("resource"), _route(event)}:
        raise RunRefusedError(f"there is no {shown} here: it is {METHOD} {PATH}", status=HTTPStatus.NOT_FOUND)
    if method != METHOD:
        refused = f"there is no {shown} here: it takes {METHOD}"
        raise RunRefusedError(refused, status=HTTPStatus.METHOD_NOT_ALLOWED, allow=METHOD)


def _below_stage(path: str, stage: object) -> str:
    """Take off the stage, which only some of the addresses of one function begin with."""
    return path.removeprefix(f"/{stage}").rstrip("/")


def _route(event: Document) -> str:
    """Return the path of the route that was matched, whatever base path a domain of one's own puts before it."""
    return str(event.get("routeKey")).rpartition(" ")[2]


def _decoded(body: object, *, encoded: bool) -> bytes:
    if body is None:
        return b""
    if not isinstance(body, str):
        return json.dumps(body).encode()
    if not encoded:
        return body.encode(errors="surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise RunRefusedError("body: isBase64Encoded is true, and it is not base64") from error


def _mapping(value: object) -> Document:
    return cast("Document", value) if isinstance(value, Mapping) else {}
