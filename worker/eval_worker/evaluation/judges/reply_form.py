"""The form in which a model is to reply: as a tool's input, by a schema, or in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
