"""Outcomes that Bedrock counts as answers, usable or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.converse import (
    forced_tool,
    judgement_response,
    structured_response,
    text_response,
)
from eval_worker.testing.fake_bedrock.outcome import Outcome
from eval_worker.testing.fake_provider.response import Response

HIGHEST_LEVEL = 5
RATIONALE = "The fake model found nothing to object to."


@dataclass(frozen=True, slots=True)
class Reply(Outcome):
    """A proper judgement. Several levels are given in turn, over and over."""

    level: int | Sequence[int] = HIGHEST_LEVEL
    rationale: str = RATIONALE

    def response(self, call: Call, turn: int) -> Response:
        level = self.level if isinstance(self.level, int) else self.level[turn % len(self.level)]
        return judgement_response(call, level, self.rationale)


@dataclass(frozen=True, slots=True)
class Judgements(Outcome):
    """The judgements of a call that asks several judges, by name.

    None leaves a judge out of the reply, a text is no level; a judge that is not named gets the highest level.
    `beside` is said in text where a tool is called.
    """

    levels: Mapping[str, int | str | None]
    rationale: str = RATIONALE
    beside: str = ""

    def response(self, call: Call, turn: int) -> Response:
        del turn
        levels = {judge: self.levels.get(judge, HIGHEST_LEVEL) for judge in call.judges}
        document = {
            judge: {"rationale": f"{judge}: {self.rationale}", "level": level}
            for judge, level in levels.items()
            if level is not None
        }
        return structured_response(call, document, beside=self.beside)


@dataclass(frozen=True, slots=True)
class PlainText(Outcome):
    """Text where a tool or JSON was asked for; an empty one is a message without content."""

    text: str = "The answer looks fine to me."

    def response(self, call: Call, turn: int) -> Response:
        del turn
        return text_response(call, self.text)


@dataclass(frozen=True, slots=True)
class MalformedReply(Outcome):
    """Structured as asked, but not by the schema."""

    def response(self, call: Call, turn: int) -> Response:
        del turn
        return structured_response(call, {"rationale": RATIONALE, "level": "excellent"})


@dataclass(frozen=True, slots=True)
class Truncated(Outcome):
    """Cut off by `maxTokens`: a tool's input without its last keys, or half a JSON text."""

    def response(self, call: Call, turn: int) -> Response:
        del turn
        if forced_tool(call):
            return structured_response(call, {"rationale": RATIONALE}, "max_tokens")
        return text_response(call, '{"rationale": "' + RATIONALE, "max_tokens")


@dataclass(frozen=True, slots=True)
class Stopped(Outcome):
    """Any other stop reason: `malformed_tool_use`, `model_context_window_exceeded`, `refusal` …"""

    reason: str
    text: str = ""

    def response(self, call: Call, turn: int) -> Response:
        del turn
        return text_response(call, self.text, self.reason)


@dataclass(frozen=True, slots=True)
class ContentFiltered(Outcome):
    """Refused by a filter, or by a guardrail: `ContentFiltered("guardrail_intervened")`."""

    reason: str = "content_filtered"

    def response(self, call: Call, turn: int) -> Response:
        del turn
        return text_response(call, "The generated text has been blocked by our content filters.", self.reason)
