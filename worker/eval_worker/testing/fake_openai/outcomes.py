"""What can become of a call."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from eval_worker.testing.fake_openai.call import ChatCall
from eval_worker.testing.fake_openai.completion import judgement_response, text_response
from eval_worker.testing.fake_provider.response import Response, json_response

HIGHEST_LEVEL = 5
RATIONALE = "The fake model found nothing to object to."


class Outcome(ABC):
    """What becomes of a call."""

    @abstractmethod
    def response(self, call: ChatCall, turn: int) -> Response:
        """Answer the call; `turn` counts from 0 how often the rule has been used."""


@dataclass(frozen=True, slots=True)
class Reply(Outcome):
    """A proper judgement. Several levels are given in turn, over and over; `beside` is said where a tool is called."""

    level: int | Sequence[int] = HIGHEST_LEVEL
    rationale: str = RATIONALE
    beside: str = ""

    def response(self, call: ChatCall, turn: int) -> Response:
        level = self.level if isinstance(self.level, int) else self.level[turn % len(self.level)]
        return judgement_response(call, level, self.rationale, beside=self.beside)


@dataclass(frozen=True, slots=True)
class Text(Outcome):
    """This text, whatever was asked for, ended for this reason: `stop`, `length`, `content_filter`."""

    text: str
    finish_reason: str = "stop"

    def response(self, call: ChatCall, turn: int) -> Response:
        del turn
        return text_response(call, self.text, self.finish_reason)


@dataclass(frozen=True, slots=True)
class Refusal(Outcome):
    """The model's own refusal, which has a field of its own beside the content."""

    words: str = "I can't help with that."

    def response(self, call: ChatCall, turn: int) -> Response:
        del turn
        return text_response(call, "", refusal=self.words)


@dataclass(frozen=True, slots=True)
class Refused(Outcome):
    """An error of the service. `{key}` in the message is the API key that the call came with."""

    status: int
    message: str = "The fake refuses this."
    code: str | None = None
    type: str = "invalid_request_error"
    param: str | None = None
    retry_after: float | None = None
    failed_generation: str | None = None

    def response(self, call: ChatCall, turn: int) -> Response:
        del turn
        key = call.headers.get("authorization", "").removeprefix("Bearer ")
        told = {
            "message": self.message.replace("{key}", key),
            "type": self.type,
            "param": self.param,
            "code": self.code,
        }
        if self.failed_generation is not None:
            told["failed_generation"] = self.failed_generation
        headers = () if self.retry_after is None else (("Retry-After", f"{self.retry_after:g}"),)
        return json_response({"error": told}, self.status, headers)


@dataclass(frozen=True, slots=True)
class Drop(Outcome):
    """Closes the connection: at once, or after some bytes of a proper answer."""

    after_bytes: int = 0

    def response(self, call: ChatCall, turn: int) -> Response:
        return replace(Reply().response(call, turn), cut_after=self.after_bytes)


@dataclass(frozen=True, slots=True)
class Garbage(Outcome):
    """Whatever a broken proxy might send."""

    body: str = "<html><body>Welcome to the captive portal</body></html>"
    status: int = 200

    def response(self, call: ChatCall, turn: int) -> Response:
        del call, turn
        return Response(self.status, self.body.encode())


def throttled(retry_after: float | None = None) -> Refused:
    """Say what OpenAI says to those who ask too often."""
    return Refused(429, "Rate limit reached.", "rate_limit_exceeded", "requests", retry_after=retry_after)


def no_quota() -> Refused:
    """Say what OpenAI says to those who have no credit left; the status is that of a throttle."""
    message = "You exceeded your current quota, please check your plan and billing details."
    return Refused(429, message, "insufficient_quota", "insufficient_quota")
