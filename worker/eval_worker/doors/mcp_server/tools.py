"""What the tools are called, take and give, in words by which an assistant chooses and fills them."""

from collections.abc import Mapping, Sequence
from typing import Any

from mcp.types import Tool, ToolAnnotations

from eval_worker.doors.mcp_server.conversation_schema import conversation_arguments, conversation_result
from eval_worker.evaluation.pipeline import DEFAULT_JUDGE_THRESHOLD
from eval_worker.result import Result

EVALUATE_RESPONSE = "evaluate_response"
EVALUATE_SINGLE_JUDGE = "evaluate_single_judge"
EVALUATE_CONVERSATION = "evaluate_conversation"

INSTRUCTIONS = (
    "Judges how well an AI agent answered a question. Use evaluate_response for an overall verdict (pass, review or "
    "fail), and evaluate_single_judge to ask about one quality only. Where it is known what would have been right, use "
    "evaluate_conversation: it compares the answers of whole conversations with that, and says how reliable the agent "
    "is. Copy queries, answers and contexts word for word: they are judged as they are given."
)

_STREAM_ONLY = ("source_id", "attempt", "worker")

_ANSWER: dict[str, Any] = {
    "event_id": {
        "type": "string",
        "minLength": 1,
        "description": "Any name for this evaluation, such as eval-1. The result has it as its id.",
    },
    "user_query": {
        "type": "string",
        "minLength": 1,
        "description": "What the user asked the agent, word for word.",
    },
    "answer": {
        "type": "string",
        "description": "What the agent answered, word for word. An empty answer is judged, too: it fails.",
    },
    "context": {
        "type": "string",
        "default": "",
        "description": "What the agent had to answer from, such as the documents it retrieved. Without it nothing can "
        "be said about faithfulness.",
    },
}
_REQUIRED = ["event_id", "user_query", "answer"]

_MEANINGS = {
    "id": "The event_id that was given.",
    "stages": "Every check and judge in order, with its score and reason.",
    "confidence": "0 to 1, of all scores together.",
    "verdict": "pass, review (a person should look) or fail.",
    "early_exit": "True if the free checks found rubbish and no judge was asked.",
    "partial": "True if a judge failed and is left out; such a result never passes.",
    "model": "What answered for the judges; offline is a rule-based stand-in.",
    "judges_digest": "Tells sets of judges apart: results with the same digest can be compared.",
    "judge_calls": "combined if the judges were asked together, in one call; not there if each was asked alone.",
}
_MEANINGS_FOR_CONVERSATIONS = {
    "stages": "The judgement of every interaction, in order.",
    "confidence": "The share of conversations that are fully correct.",
    "early_exit": "Always false: there are no free checks.",
    "partial": "True if an interaction could not be judged; such a result never passes.",
    "agentic": "Every conversation, and all of them together: pass@k, pass^k, tool correctness.",
}


def tool_definitions(judges: Sequence[str], *, calls_a_provider: bool) -> list[Tool]:
    hints = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=calls_a_provider
    )
    gives = _result_schema()
    return [
        Tool(
            name=EVALUATE_RESPONSE,
            title="Evaluate a response",
            description="Judge one answer of an AI agent: free checks (length, overlap with the query, format) and, "
            f"unless those show that it is rubbish, the judges {_listed(judges)}. Gives a verdict (pass, review or "
            "fail), a confidence from 0 to 1, and score and reason of every stage. Takes some seconds.",
            input_schema=_arguments(_ANSWER, _REQUIRED),
            output_schema=gives,
            annotations=hints,
        ),
        Tool(
            name=EVALUATE_SINGLE_JUDGE,
            title="Evaluate one quality of a response",
            description=f"Ask one judge alone about an answer of an AI agent, without the free checks: "
            f"{_listed(judges)}. Its score is the confidence; above the threshold the verdict is pass, else fail. "
            "Use evaluate_response instead for an overall verdict.",
            input_schema=_arguments(
                {"judge_name": _judge_name(judges), **_ANSWER, "threshold": _threshold()}, ["judge_name", *_REQUIRED]
            ),
            output_schema=gives,
            annotations=hints,
        ),
        _conversation_tool(hints),
    ]


def _conversation_tool(hints: ToolAnnotations) -> Tool:
    return Tool(
        name=EVALUATE_CONVERSATION,
        title="Evaluate whole conversations",
        description="Judge whole conversations of an AI agent against the answers, and if they are known the tool "
        "calls, that would have been right. A conversation is correct only if all its interactions are. Gives, for "
        "each conversation and for all together, pass@k (the chance that at least one of k attempts is fully correct) "
        "and pass^k (that all are), tool correctness (tools, arguments, order, use of results), the reason for every "
        "score, and a verdict on the share of correct conversations. Asks the model once for each interaction. Use "
        "evaluate_response instead where there is no right answer to compare with.",
        input_schema=conversation_arguments(),
        output_schema=_as_given(conversation_result(), {**_MEANINGS, **_MEANINGS_FOR_CONVERSATIONS}),
        annotations=hints,
    )


def _arguments(properties: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**properties},
        "required": [*required],
        "additionalProperties": False,
    }


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _judge_name(judges: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "string",
        "enum": list(judges),
        "description": "Which judge. One that compares the answer with the context, as faithfulness does, needs one.",
    }


def _threshold() -> dict[str, Any]:
    return {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "default": DEFAULT_JUDGE_THRESHOLD,
        "description": "The score above which the verdict is pass. Leave it out unless the user names one.",
    }


def _result_schema() -> dict[str, Any]:
    schema = _as_given(Result.model_json_schema(mode="serialization", by_alias=True), _MEANINGS)
    del schema["properties"]["agentic"]
    return schema


def _as_given(schema: dict[str, Any], meanings: Mapping[str, str]) -> dict[str, Any]:
    """The result's own schema, without what only results of the stream have."""
    schema.pop("description", None)
    for name in _STREAM_ONLY:
        del schema["properties"][name]
    for name, meaning in meanings.items():
        schema["properties"][name]["description"] = meaning
    return schema
