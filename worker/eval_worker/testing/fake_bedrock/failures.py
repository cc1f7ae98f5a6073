"""Outcomes that are no answer: AWS errors, and connections that misbehave."""

from dataclasses import dataclass, replace
from typing import ClassVar

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.outcome import Outcome, error_response
from eval_worker.testing.fake_bedrock.replies import Reply
from eval_worker.testing.fake_provider.condition import Condition
from eval_worker.testing.fake_provider.response import Response

_SERVER_ERROR_TYPES = {500: "InternalServerException", 503: "ServiceUnavailableException"}


@dataclass(frozen=True, slots=True)
class AwsError(Outcome):
    """Any error of the service, by its HTTP status and exception name."""

    status: int
    error_type: str
    message: str
    retry_after: float | None = None

    def response(self, call: Call, turn: int) -> Response:
        del call, turn
        return error_response(self.status, self.error_type, self.message, self.retry_after)


@dataclass(frozen=True, slots=True)
class Throttle(Outcome):
    retry_after: float | None = None

    def response(self, call: Call, turn: int) -> Response:
        del call, turn
        message = "Too many requests, please wait before trying again."
        return error_response(429, "ThrottlingException", message, self.retry_after)


@dataclass(frozen=True, slots=True)
class ServerError(Outcome):
    status: int = 500

    def response(self, call: Call, turn: int) -> Response:
        del call, turn
        error_type = _SERVER_ERROR_TYPES.get(self.status, "InternalFailure")
        return error_response(self.status, error_type, "The system encountered an unexpected error. Try again.")


@dataclass(frozen=True, slots=True)
class ModelTimeout(Outcome):
    """Bedrock's 408: the model took too long."""

    def response(self, call: Call, turn: int) -> Response:
        del call, turn
        return error_response(408, "ModelTimeoutException", "Model has timed out in processing the request.")


@dataclass(frozen=True, slots=True)
class ModelError(Outcome):
    """Bedrock's 424: the model failed."""

    def response(self, call: Call, turn: int) -> Response:
        del call, turn
        return error_response(424, "ModelErrorException", "The model failed while processing the request.")


@dataclass(frozen=True, slots=True)
class AccessDenied(Outcome):
    def response(self, call: Call, turn: int) -> Response:
        del turn
        message = (
            "User: arn:aws:iam::123456789012:user/fake is not authorized to perform: bedrock:InvokeModel on resource: "
            f"arn:aws:bedrock:us-east-1::foundation-model/{call.model_id}"
        )
        return error_response(403, "AccessDeniedException", message)


@dataclass(frozen=True, slots=True)
class RefuseTemperature(Outcome):
    """Refuses calls that set a temperature, as newer Claude models do, and leaves all others alone."""

    only_when: ClassVar[Condition] = Condition(has_temperature=True)

    def response(self, call: Call, turn: int) -> Response:
        del call, turn
        message = "The model returned the following errors: `temperature` is deprecated for this model."
        return error_response(400, "ValidationException", message)


@dataclass(frozen=True, slots=True)
class RefusePromptCaching(Outcome):
    """Refuses calls with a cache point, as models without prompt caching do, and leaves all others alone."""

    only_when: ClassVar[Condition] = Condition(has_cache_point=True)

    def response(self, call: Call, turn: int) -> Response:
        del call, turn
        message = "You invoked an unsupported model or your request did not allow prompt caching."
        return error_response(403, "AccessDeniedException", message)


@dataclass(frozen=True, slots=True)
class Drop(Outcome):
    """Closes the connection: at once, or after some bytes of a proper answer."""

    after_bytes: int = 0

    def response(self, call: Call, turn: int) -> Response:
        return replace(Reply().response(call, turn), cut_after=self.after_bytes)


@dataclass(frozen=True, slots=True)
class Trickle(Outcome):
    """A proper answer, byte by byte, so that no single read is ever long."""

    pause: float = 0.05

    def response(self, call: Call, turn: int) -> Response:
        return replace(Reply().response(call, turn), pause_per_byte=self.pause)


@dataclass(frozen=True, slots=True)
class Garbage(Outcome):
    """Whatever a broken proxy might send."""

    body: str = "<html><body>Welcome to the captive portal</body></html>"
    status: int = 200

    def response(self, call: Call, turn: int) -> Response:
        del call, turn
        return Response(self.status, self.body.encode())
