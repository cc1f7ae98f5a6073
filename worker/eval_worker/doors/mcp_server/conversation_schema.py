"""What evaluate_conversation takes and gives, made of the models that read and write it."""

from collections.abc import Mapping
from typing import Annotated, Any, cast

from pydantic import Field

from eval_worker.agentic.config import AgenticConfig
from eval_worker.agentic.dataset import Batch, Dataset
from eval_worker.agentic.tools.tool_use import ExpectedToolUse, ToolUse
from eval_worker.doors.agentic_run.reply import RunReply
from eval_worker.result import Result

Schema = dict[str, Any]

EVENT_ID = "conversation"
CONFIG_ARGUMENTS = ("k", "threshold", "tool_threshold", "require_tools", "tool_weights", "statistical_mode")

_DEFINITIONS = "#/$defs/"
_NOT_FOR_READERS = ("title", "discriminator", "description")  # docstrings speak to programmers
_MEANINGS = {
    "event_id": "Any name for this evaluation. The result has it as its id.",
    "datasets": "The conversations, each from its beginning to its end. Put what several agents or several attempts "
    "said into a conversation each.",
    "session_id": "Which conversation it is, such as session-1.",
    "assistant_id": "Which agent answered in it, such as my-agent.",
    "language": "The language of the conversation.",
    "context": "What the agent had to answer from in this conversation, if anything.",
    "conversation": "The interactions in order: a question of the user's and the agent's answer each.",
    "qa_id": "Which interaction it is, such as q1. The same id and question in several conversations are several "
    "attempts at one question.",
    "query": "What the user asked, word for word.",
    "assistant": "What the agent answered, word for word. It may be empty: that is wrong.",
    "ground_truth_assistant": "What would have been right to answer. The answer need not be the same word for word. "
    "It must come from the user or a document: never make it up.",
    "agentic": "The tools that the agent called for this answer. Without it, it called none.",
    "tools_used": "The calls that were made, in order.",
    "final_answer_uses_tools": "Whether the answer makes use of what the tools returned.",
    "ground_truth_agentic": "The tools that it should have called. Leave it out where that is not known: its tools are "
    "then not scored.",
    "expected_tools": "The calls that would have been right; an empty list says that none was needed.",
    "tool_sequence_matters": "Whether the calls have to come in this order.",
    "forbidden_tools": "Names of tools that must not be called.",
    "tool_name": "The tool's name.",
    "parameters": "The arguments of the call, by name.",
    "step": "When it was called: 1, 2, …; the same for calls side by side.",
    "accepted": "By argument, values that are right as well as the one in parameters.",
    "optional": "Arguments that may be left out.",
    "ignored": "Arguments that may have any value.",
    "subset": "Whether arguments that are not named here may be there.",
    "tolerance": "How far off a number may be: one distance for all arguments, or an object with one by argument.",
    "k": "For how many attempts pass@k (at least one of k is fully correct) and pass^k (all k are) are estimated.",
    "threshold": "The score from which on an answer is correct. Leave it out unless the user names one.",
    "tool_threshold": "The score from which on the tools of an interaction are correct.",
    "require_tools": "Whether an interaction whose tools are not correct is wrong, however right its answer is.",
    "tool_weights": "How much each side of tool correctness counts.",
    "selection": "The right tools were called.",
    "tool_weights.parameters": "They were given the right arguments.",
    "sequence": "They were called in the right order.",
    "utilization": "Their results were put to use.",
    "statistical_mode": "frequentist gives estimates alone, bayesian gives credible intervals, too, which say how "
    "little a few conversations prove.",
    "name": "Which mode.",
    "interval": "Which confidence interval, if any.",
    "level": "How much of the probability an interval holds.",
    "prior_alpha": "Of the Beta prior.",
    "prior_beta": "Of the Beta prior.",
}


class _Turn(Batch):
    """What is read as plain dictionaries, spelled out: these models are described, and nothing is read by them."""

    agentic: ToolUse | None = None  # pyright: ignore[reportIncompatibleVariableOverride] (see above)
    ground_truth_agentic: ExpectedToolUse | None = None  # pyright: ignore[reportIncompatibleVariableOverride]


class _Conversation(Dataset):
    conversation: Annotated[list[_Turn], Field(min_length=1)]  # pyright: ignore[reportIncompatibleVariableOverride]


class _Arguments(AgenticConfig):
    datasets: Annotated[list[_Conversation], Field(min_length=1)]
    event_id: Annotated[str, Field(min_length=1)] = EVENT_ID


class _ConversationResult(Result):
    agentic: RunReply = Field()  # pyright: ignore[reportIncompatibleVariableOverride]


def conversation_arguments() -> Schema:
    """Return the input schema: written out in full, as not every client follows references."""
    schema = _Arguments.model_json_schema()
    written = _without_references(schema, schema["$defs"])
    properties = {name: written["properties"][name] for name in ("datasets", "event_id", *CONFIG_ARGUMENTS)}
    properties["statistical_mode"]["default"] = "frequentist"
    return _described({"type": "object", "properties": properties, "required": written["required"]}) | {
        "additionalProperties": False
    }


def conversation_result() -> Schema:
    """Return the schema of a result of conversations, with `agentic` described in full."""
    return _ConversationResult.model_json_schema(mode="serialization", by_alias=True)


def _without_references(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """Put in place of each reference what it stands for, and of each `X or null` the X."""
    if "$ref" in schema:
        schema = {**definitions[schema["$ref"].removeprefix(_DEFINITIONS)], **schema}
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    if len(options) == 1:
        schema = {**schema, **options[0]}
        return _without_references({key: value for key, value in schema.items() if key != "anyOf"}, definitions)
    left_out = {*_NOT_FOR_READERS, "$ref", "$defs", *(("default",) if schema.get("default", "") is None else ())}
    written: Schema = {}
    for key, value in schema.items():
        if key == "properties":
            written[key] = {name: _without_references(part, definitions) for name, part in value.items()}
        elif key not in left_out:
            written[key] = _inside(value, definitions)
    return written


def _inside(value: object, definitions: Mapping[str, Schema]) -> object:
    if isinstance(value, dict):
        return _without_references(cast("Schema", value), definitions)
    if isinstance(value, list):
        return [_inside(each, definitions) for each in cast("list[object]", value)]
    return value


def _described(schema: Schema, of: str = "") -> Schema:
    """Say of every property what it is for; one that nobody described is a KeyError."""
    for name, part in schema.get("properties", {}).items():
        part["description"] = _MEANINGS.get(f"{of}.{name}") or _MEANINGS[name]
        _described(part, name)
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *filter(None, (schema.get("items"),))):
        _described(part)
    return schema
