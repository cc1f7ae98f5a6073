"""What boto3 would send for a Converse call, but for its body and its signature: taken down in a rehearsal.

boto3 finds the endpoint, the address of the model, the headers and the way to sign, for which it asks the environment,
the profile and whoever listens to its events. It does so at every call, in a quarter of a millisecond, and for the same
model it always comes out alike.
"""

# botocore ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import json
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import orjson

from eval_worker.models.bedrock.connections import HttpReply
from eval_worker.models.bedrock.sigv4 import Scope

_CHOOSE_SIGNER = "choose-signer.bedrock-runtime.Converse"
_THE_SAME_EVERY_TIME = frozenset({"authorization", "content-type", "user-agent"})
_NOTHING = HttpReply(200, {}, b"")

Call = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outline:
    """An address, headers and what a signature is to be good for: None where a token among the headers is enough."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    scope: Scope | None
    model: Any = field(repr=False)  # botocore's, of the operation

    @property
    def is_the_same_every_time(self) -> bool:
        """Whether it has no header of one call alone, such as the trace of an invocation of AWS Lambda."""
        return _THE_SAME_EVERY_TIME.issuperset(name.lower() for name in self.headers)


def body_of(call: Call) -> bytes:
    """Write the body of a Converse request: all members but the model, which stands in the address."""
    members = {name: value for name, value in call.items() if name != "modelId"}
    try:
        return orjson.dumps(members)
    except TypeError:  # half of a surrogate pair, which is no text: boto3 sends it escaped
        return json.dumps(members).encode()


class Rehearsals:
    """Has boto3 prepare calls that are not made."""

    def __init__(self, client: Any) -> None:
        """Listen to this client; calls that it is to make itself are left alone."""
        self._client = client
        self._outlines: dict[str, Outline | None] = {}
        # Not of Converse alone: handlers of all calls come behind those of one, and some of them add headers.
        client.meta.events.register_last("before-call", self._take_down)

    def outline(self, call: Call) -> Outline | None:
        """Return the outline of such a call, or None where something about it is out of the ordinary.

        Raises:
            BotoCoreError: boto3 would not make the call.
        """
        model_id = call["modelId"]
        if model_id in self._outlines:
            return self._outlines[model_id]
        outline = self._rehearsed(call)
        if outline is None or outline.is_the_same_every_time:
            self._outlines[model_id] = outline
        return outline

    def _rehearsed(self, call: Call) -> Outline | None:
        taken: list[Outline | None] = []

        def take(event: Mapping[str, Any]) -> None:
            taken.append(self._of(call, **event))

        rehearsal = _rehearsal.set(take)
        try:
            self._client.converse(**call)
        finally:
            _rehearsal.reset(rehearsal)
        return taken[0] if taken else None  # where somebody else answered the event: a stub, say

    def _take_down(self, **event: Any) -> tuple[HttpReply, dict[str, Any]] | None:
        take = _rehearsal.get()
        if take is None:
            return None
        take(event)
        return _NOTHING, {}  # which boto3 takes for the response

    def _of(
        self,
        call: Call,
        *,
        model: Any,
        params: Mapping[str, Any],
        request_signer: Any,
        context: Mapping[str, Any],
        **_event: object,
    ) -> Outline | None:
        is_ordinary = (
            params["method"] == "POST"
            and not params["query_string"]
            and json.loads(params["body"]) == json.loads(body_of(call))
        )
        if not is_ordinary or context.get("signing"):
            return None
        url, headers = params["url"], dict(params["headers"])
        match self._way_to_sign(request_signer, context):
            case "v4":
                scope = Scope(request_signer.region_name, request_signer.signing_name)
                return Outline(url, headers, scope, model)
            case "bearer" if (token := _lasting_token(request_signer)) and url.startswith("https:"):
                return Outline(url, headers | {"Authorization": f"Bearer {token}"}, None, model)
            case _:
                return None

    def _way_to_sign(self, signer: Any, context: Mapping[str, Any]) -> str:
        planned = context.get("auth_type") or signer.signature_version
        _handler, chosen = self._client.meta.events.emit_until_response(
            _CHOOSE_SIGNER,
            signing_name=signer.signing_name,
            region_name=signer.region_name,
            signature_version=planned,
            context=context,
        )
        return chosen or planned


def _lasting_token(signer: Any) -> str | None:
    """Return AWS_BEARER_TOKEN_BEDROCK. A token that expires is left to boto3, which knows how to renew it."""
    token = signer.get_auth_instance(signer.signing_name, signer.region_name, "bearer").auth_token
    return token.token if token is not None and token.expiration is None else None


_rehearsal: ContextVar[Callable[[Mapping[str, Any]], None] | None] = ContextVar("rehearsal", default=None)
