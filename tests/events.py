"""Events for tests, and what became of them on the streams, whose names depend on what the suite runs on."""

import json
from typing import Any

from tests.servers.kinds import DEAD_LETTERS, EVENTS, GROUP, RESULTS

GOOD_ANSWER = "The capital of France is Paris."
QUERY = "What is the capital of France?"
CONTEXT = "France is a country in Western Europe. Its capital city is Paris."


def event(
    event_id: str = "evt-001", *, query: str = QUERY, answer: Any = GOOD_ANSWER, context: str = CONTEXT
) -> dict[str, Any]:
    return {
        "event_id": event_id,
        "event_type": "agent_response",
        "agent": {"name": "my-agent", "type": "rag", "version": "1.0.0"},
        "interaction": {"user_query": query, "context": context, "answer": answer},
    }


def rubbish(event_id: str = "evt-002") -> dict[str, Any]:
    """An event that exits early: no judge is asked."""
    query = "Explain the theory of relativity in detail"
    return event(event_id, query=query, answer="ok", context="Einstein developed the theory of relativity.")


def conversations(event_id: str = "cnv-001", *answers: str, **config: Any) -> dict[str, Any]:
    """An event about conversations of one interaction each, all asked the same; the first is right by default."""
    datasets = [
        {"session_id": f"s{number}", "assistant_id": "my-agent", "conversation": [turn(answer)]}
        for number, answer in enumerate(answers or (GOOD_ANSWER,), 1)
    ]
    kind = {"event_type": "agent_conversation", "agent": {"name": "my-agent"}}
    return {"event_id": event_id, **kind, "datasets": datasets, "config": config}


def turn(answer: Any, **fields: Any) -> dict[str, Any]:
    return {"qa_id": "q1", "query": QUERY, "assistant": answer, "ground_truth_assistant": "Paris", **fields}


def send(redis_client: Any, document: dict[str, Any], stream: str = EVENTS) -> str:
    return redis_client.xadd(stream, {"payload": json.dumps(document)}).decode()


def results(redis_client: Any, stream: str = RESULTS) -> list[dict[str, Any]]:
    """Every result's payload, in order."""
    return [json.loads(fields[b"payload"]) for _, fields in redis_client.xrange(stream)]


def dead_letters(redis_client: Any, stream: str = DEAD_LETTERS) -> list[dict[str, bytes]]:
    return [{name.decode(): value for name, value in fields.items()} for _, fields in redis_client.xrange(stream)]


def deliveries(redis_client: Any, stream: str = EVENTS, group: str = GROUP) -> dict[str, int]:
    """The delivery count of every pending entry."""
    pending = redis_client.xpending_range(stream, group, "-", "+", 10_000)
    return {each["message_id"].decode(): each["times_delivered"] for each in pending}
