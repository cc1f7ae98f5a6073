"""What can become of a call, and what of it goes over the wire."""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.condition import ANY_CALL, Condition

_ERROR_NAMESPACE = "http://internal.amazon.com/coral/com.amazon.bedrock/"


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response, and how badly it is delivered.

    `cut_after` closes the connection after that many bytes of the body; 0 closes it with nothing sent at all.
    `pause_per_byte` sends the body byte by byte.
    """

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    cut_after: int | None = None
    pause_per_byte: float = 0


class Outcome(ABC):
    """What becomes of a call. Subclasses are frozen dataclasses of JSON values, so that they can be sent as JSON."""

    # A rule with this outcome is about calls that fit this, besides the rule's own condition.
    only_when: ClassVar[Condition] = ANY_CALL

    @abstractmethod
    def response(self, call: Call, turn: int) -> Response:
        """Answer the call; `turn` counts from 0 how often the rule has been used."""


def json_response(document: Any, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    return Response(status, json.dumps(document).encode(), headers)


def error_response(status: int, error_type: str, message: str, retry_after: float | None = None) -> Response:
    """Return an error as AWS writes it, from which botocore makes the exception of that name."""
    headers = (("x-amzn-ErrorType", f"{error_type}:{_ERROR_NAMESPACE}"),)
    if retry_after is not None:
        headers += (("Retry-After", f"{retry_after:g}"),)
    return json_response({"message": message}, status, headers)
