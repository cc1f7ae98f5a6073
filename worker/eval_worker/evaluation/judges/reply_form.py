"""The form in which a model is to reply: as a tool's input, by a schema, or in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from eval_worker.evaluation.judges.definition import HIGHEST_LEVEL, LOWEST_LEVEL

REPLY_TOOL_NAME = "record_judgement"

# The rationale comes first, so that the level follows from it. The level is an enum: structured output on Bedrock
# refuses minimum and maximum.
REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "rationale": {
            "type": "string",
            "description": "One to three sentences that name what was found in the answer.",
        },
        "level": {
            "type": "integer",
            "enum": list(range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)),
            "description": "The level whose description fits the answer best.",
        },
    },
    "required": ["rationale", "level"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """One JSON object, described in three ways, of which a provider needs one.

    `tool` is the name of the tool that records it, `purpose` what that is for; `example` and `order` say the same as
    `schema` in words, for models that are asked for text.
    """

    tool: str
    purpose: str
    example: str
    order: str
    schema: Mapping[str, Any] = field(hash=False)


ONE_JUDGEMENT = ReplyForm(
    tool=REPLY_TOOL_NAME,
    purpose="Records the judgement: the rationale first, then the level that follows from it.",
    example='{"rationale": "<text>", "level": <integer from 0 to 5>}',
    order="Write the rationale first.",
    schema=REPLY_SCHEMA,
)


@lru_cache(maxsize=128)  # the same few sets of judges are asked for event after event
def judgements_of(judges: tuple[str, ...]) -> ReplyForm:
    """Return the form of a reply that has a judgement of each of these judges, under its name and in this order."""
    return ReplyForm(
        tool="record_judgements",
        purpose="Records the judges' judgements in the given order: each one's rationale first, then its level.",
        example="{" + ", ".join(f'"{judge}": {ONE_JUDGEMENT.example}' for judge in judges) + "}",
        order="Keep this order, and write each rationale before its level.",
        schema={
            "type": "object",
            "properties": dict.fromkeys(judges, REPLY_SCHEMA),
            "required": list(judges),
            "additionalProperties": False,
        },
    )
