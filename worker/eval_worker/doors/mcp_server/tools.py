"""What the tools are called, take and give, in words by which an assistant chooses and fills them."""

from collections.abc import Sequence
from typing import Any

from mcp.types import Tool, ToolAnnotations

from eval_worker.evaluation.pipeline import DEFAULT_JUDGE_THRESHOLD
from eval_worker.result import Result

EVALUATE_RESPONSE = "evaluate_response"
EVALUATE_SINGLE_JUDGE = "evaluate_single_judge"

INSTRUCTIONS = (
    "Judges how well an AI agent answered a question. Use evaluate_response for an overall verdict (pass, review or "
    "fail), and evaluate_single_judge to ask about one quality only. Copy query, answer and context word for word: "
    "they are judged as they are given."
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
            input_schema={"type": "object", "properties": _ANSWER, "required": _REQUIRED},
            output_schema=gives,
            annotations=hints,
        ),
        Tool(
            name=EVALUATE_SINGLE_JUDGE,
            title="Evaluate one quality of a response",
            description=f"Ask one judge alone about an answer of an AI agent, without the free checks: "
            f"{_listed(judges)}. Its score is the confidence; above the threshold the verdict is pass, else fail. "
            "Use evaluate_response instead for an overall verdict.",
            input_schema={
                "type": "object",
                "properties": {"judge_name": _judge_name(judges), **_ANSWER, "threshold": _threshold()},
                "required": ["judge_name", *_REQUIRED],
            },
            output_schema=gives,
            annotations=hints,
        ),
    ]


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
    """The result's own schema, without what only results of the stream have."""
    schema = Result.model_json_schema(mode="serialization", by_alias=True)
    del schema["description"]
    for name in _STREAM_ONLY:
        del schema["properties"][name]
    for name, meaning in _MEANINGS.items():
        schema["properties"][name]["description"] = meaning
    return schema
