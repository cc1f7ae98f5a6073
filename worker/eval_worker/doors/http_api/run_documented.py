"""What the OpenAPI document says of `POST /run`: the request in the body, its errors, examples."""

from http import HTTPStatus
from typing import Any

from eval_worker.doors.agentic_run.refusal import RunError
from eval_worker.doors.agentic_run.reply import RunReply
from eval_worker.doors.http_api.documented import Responses, json_body, ok, refusal, usual
from eval_worker.doors.http_api.wire import RunErrorReply

_STATUSES = (400, 401, 403, 408, 413, 415, 422, 429, 500, 503, 504)
_SAYS: dict[int, tuple[str, dict[str, str]]] = {
    400: (
        "What was sent is wrong, or the connector's provider refuses its key or its model.",
        {"error": RunError.CONNECTOR_FAILED, "detail": "class_path 'os.system' is not allowed here: name one of …"},
    ),
    422: (
        "The model refused every interaction, and would again.",
        {"error": RunError.EVALUATION_FAILED, "detail": "no conversation could be judged: too_long: …"},
    ),
    500: (
        "A bug; the server's log has it.",
        {"error": RunError.EVALUATION_FAILED, "detail": "internal error: the server's log says more"},
    ),
    503: (
        "The model could not be used, and no conversation was judged.",
        {"error": RunError.EVALUATION_FAILED, "detail": "no conversation could be judged: throttled: …"},
    ),
    504: (
        "No answer came in time, and no conversation was judged.",
        {"error": RunError.EVALUATION_FAILED, "detail": "no conversation could be judged: timeout: …"},
    ),
}
RUN_EXAMPLE: dict[str, Any] = {
    "connector": {"class_path": "offline"},
    "datasets": [
        {
            "session_id": "conversation-1",
            "assistant_id": "my-agent",
            "conversation": [
                {
                    "qa_id": "weather-in-lima",
                    "query": "How warm is it in Lima?",
                    "assistant": "It is 19 degrees in Lima.",
                    "ground_truth_assistant": "19 degrees",
                    "agentic": {
                        "tools_used": [{"tool_name": "weather", "parameters": {"city": "Lima"}}],
                        "final_answer_uses_tools": True,
                    },
                    "ground_truth_agentic": {
                        "expected_tools": [{"tool_name": "weather", "parameters": {"city": "Lima"}}]
                    },
                }
            ],
        }
    ],
    "config": {"k": 3},
}
_FIGURES: dict[str, Any] = {
    "k": 3,
    "pass_at_k": 1.0,
    "pass_at_k_ci_low": None,
    "pass_at_k_ci_high": None,
    "pass_pow_k": 1.0,
    "pass_pow_k_ci_low": None,
    "pass_pow_k_ci_high": None,
    "unbiased_pass_at_k": None,
    "unbiased_pass_pow_k": None,
    "extrapolated": True,
}
RUN_REPORT: dict[str, Any] = {
    "success": True,
    "per_conversation_metrics": [
        {
            "session_id": "conversation-1",
            "assistant_id": "my-agent",
            "qa_ids": ["weather-in-lima"],
            "total_interactions": 1,
            "judged_interactions": 1,
            "correct_interactions": 1,
            "is_fully_correct": True,
            "threshold": 0.7,
            "correctness_scores": [0.97],
            "correct_indices": [0],
            "reasons": ["the answer says what the reference says"],
            "tool_correctness_scores": [None],
            **_FIGURES,
        }
    ],
    "aggregated_metrics": {
        "total_conversations": 1,
        "fully_correct_conversations": 1,
        "unknown_conversations": 0,
        "conversation_success_rate": 1.0,
        **_FIGURES,
        "interpretation": "reliable",
    },
}


def run_body() -> dict[str, Any]:
    return json_body(["RunDocument"], {"offline": RUN_EXAMPLE})


def run_responses() -> Responses:
    return {**ok(RunReply, "The figures.", RUN_REPORT), **{status: _error(HTTPStatus(status)) for status in _STATUSES}}


def _error(status: HTTPStatus) -> dict[str, Any]:
    description, example = usual(status)
    here, says = _SAYS.get(status, (description, {"error": example}))
    return refusal(status, RunErrorReply, here, {"success": False, **says})
