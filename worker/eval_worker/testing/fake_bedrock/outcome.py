"""What can become of a call."""

from abc import ABC, abstractmethod
from typing import ClassVar

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_provider.condition import ANY_CALL, Condition
from eval_worker.testing.fake_provider.response import Response, json_response

_ERROR_NAMESPACE = "http://internal.amazon.com/coral/com.amazon.bedrock/"


class Outcome(ABC):
    """What becomes of a call. Subclasses are frozen dataclasses of JSON values, so that they can be sent as JSON."""

    # A rule with this outcome is about calls that fit this, besides the rule's own condition.
    only_when: ClassVar[Condition] = ANY_CALL

    @abstractmethod
    def response(self, call: Call, turn: int) -> Response:
        """Answer the call; `turn` counts from 0 how often the rule has been used."""


def error_response(status: int, error_type: str, message: str, retry_after: float | None = None) -> Response:
    """Return an error as AWS writes it, from which botocore makes the exception of that name."""
    headers = (("x-amzn-ErrorType", f"{error_type}:{_ERROR_NAMESPACE}"),)
    if retry_after is not None:
        headers += (("Retry-After", f"{retry_after:g}"),)
    return json_response({"message": message}, status, headers)
