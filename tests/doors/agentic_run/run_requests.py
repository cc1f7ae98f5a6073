"""Requests for runs, as documents."""

import json
from typing import Any

OFFLINE = {"class_path": "offline"}
CHAT_OPENAI = "langchain_openai.chat_models.ChatOpenAI"
API_KEY = "sk-of-the-caller-0123456789abcdef"
FALLBACK_KEY = "sk-of-the-server-fedcba9876543210"

WEATHER = {"tool_name": "weather", "parameters": {"city": "Lima"}, "step": 1}
TEMPERATURE: dict[str, Any] = {
    "qa_id": "temperature",
    "query": "How warm is it in Lima?",
    "assistant": "It is 19 degrees in Lima.",
    "ground_truth_assistant": "19 degrees",
    "agentic": {"tools_used": [{**WEATHER, "result": 19}], "final_answer_uses_tools": True},
    "ground_truth_agentic": {"expected_tools": [WEATHER], "tool_sequence_matters": False},
}
CAPITAL: dict[str, Any] = {
    "qa_id": "capital",
    "query": "What is the capital of Peru?",
    "assistant": "The capital of Peru is Lima.",
    "ground_truth_assistant": "Lima",
}
WRONG: dict[str, Any] = {**CAPITAL, "qa_id": "wrong", "assistant": "The capital of Peru is Quito."}


def conversation(session_id: str, *turns: dict[str, Any]) -> dict[str, Any]:
    return {
        "session_id": session_id,
        "assistant_id": "agent_v1",
        "language": "english",
        "context": "Peru",
        "conversation": list(turns),
    }


TRIP = conversation("trip", TEMPERATURE, CAPITAL)
QUIZ = conversation("quiz", CAPITAL)


def request(**parts: Any) -> dict[str, Any]:
    """A good request; a part that is None is left out."""
    document = {"connector": OFFLINE, "datasets": [TRIP, QUIZ], "config": {"k": 3}, **parts}
    return {name: part for name, part in document.items() if part is not None}


def chat_openai(base_url: str | None, **params: Any) -> dict[str, Any]:
    """A connector to an OpenAI-shaped server, with a key of the caller's; a parameter that is None is left out."""
    given = {"model": "fake", "api_key": API_KEY, "base_url": base_url, **params}
    return {"class_path": CHAT_OPENAI, "params": {name: value for name, value in given.items() if value is not None}}


def body(document: Any) -> bytes:
    return json.dumps(document).encode()


# Every row of the documented error table but the last: the request, the error, and what the detail begins with.
REFUSED: list[tuple[Any, str, str]] = [
    (request(connector=None), "No connector configuration provided", ""),
    (request(connector={"params": {"model": "m"}}), "connector.class_path is required", ""),
    (request(connector={"class_path": "os.system"}), "Failed to create LLM connector", "class_path 'os.system' is not"),
    (request(datasets=None), "No datasets provided", ""),
    (request(datasets=[]), "No datasets provided", ""),
    (request(datasets=[conversation("empty")]), "No qa_ids found in datasets", "datasets.0.conversation: must not be"),
]
