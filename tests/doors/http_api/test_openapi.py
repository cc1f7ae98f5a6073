"""The OpenAPI document is complete, and what the server does is what it says."""

from collections import Counter
from typing import Any, cast

import hypothesis
import pytest
import schemathesis
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from tests.doors.http_api.serving import EVALUATE, RUN, Served, serving
from tests.events import event
from tests.fuzz.amount import SEED, amount
from tests.processes import ROOT

from eval_worker.event import decode_event
from eval_worker.result import Result
from eval_worker.settings import Settings

CASES = 14  # a route that takes anything, of each mode
SLOW = (hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.filter_too_much)
KEPT = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
)


@pytest.fixture(scope="module")
def api():
    with serving() as served:
        yield served


@pytest.fixture(scope="module")
def document(api: Served) -> Any:
    return api.get("/openapi.json").document


def operations(document: Any) -> list[tuple[str, Any]]:
    return [(path, operation) for path, item in document["paths"].items() for operation in item.values()]


def test_every_route_is_there(document: Any):
    assert sorted(document["paths"]) == [
        "/api/v1/dead-letters",
        "/api/v1/dead-letters/purge",
        "/api/v1/dead-letters/replay",
        "/api/v1/dead-letters/{entry_id}",
        "/api/v1/evaluate",
        "/api/v1/evaluate/judge/{judge_name}",
        "/api/v1/events",
        "/api/v1/health",
        "/api/v1/judges",
        "/api/v1/overview",
        "/api/v1/ready",
        "/api/v1/results",
        "/api/v1/results/{entry_id}",
        "/metrics",
        "/run",
    ]


def test_the_documentation_names_every_route_and_every_status(document: Any):
    page = (ROOT / "docs" / "http-api.md").read_text(encoding="utf-8")

    for path, operation in operations(document):
        assert f"{path}`" in page or f"{path}?" in page
        assert all(f"| {status} |" in page for status in operation["responses"] if status >= "400")


def test_every_error_is_of_one_shape_and_has_an_example(document: Any):
    for path, operation in operations(document):
        failures = {status: reply for status, reply in operation["responses"].items() if status >= "400"}
        assert "500" in failures, path
        for status, reply in failures.items():
            content = reply["content"]["application/json"]
            form, words = ("RunErrorReply", {"success", "error"}) if path == RUN else ("ErrorReply", {"error"})
            assert content["schema"] == {"$ref": f"#/components/schemas/{form}"}, (path, status)
            assert set(content["example"]) - {"detail"} == words


def test_every_route_with_an_event_lists_what_may_be_wrong_with_it(document: Any):
    for path in (EVALUATE, f"{EVALUATE}/judge/{{judge_name}}"):
        statuses = set(document["paths"][path]["post"]["responses"])
        assert statuses >= {"200", "400", "401", "408", "413", "415", "422", "429", "500", "503", "504"}


def test_examples_are_what_is_really_taken_and_given(document: Any, api: Served):
    for path, operation in operations(document):
        bodies = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
        for body in bodies.values():
            assert api.post(RUN if path == RUN else EVALUATE, body["value"]).status == 200
    answer = document["paths"][EVALUATE]["post"]["responses"]["200"]["content"]["application/json"]["example"]
    assert Result.model_validate(answer).verdict == "pass"
    assert set(answer) == set(api.post(EVALUATE, event()).document)


def test_the_event_is_described_as_it_is_read(document: Any):
    described = document["components"]["schemas"]["Event"]

    assert described["required"] == ["event_id", "interaction"]
    assert decode_event(b'{"event_id": "e", "interaction": {"user_query": "q", "answer": ""}}', max_bytes=100)
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_the_judges_that_can_be_asked_are_listed(document: Any):
    (judge, _) = document["paths"][f"{EVALUATE}/judge/{{judge_name}}"]["post"]["parameters"]

    assert judge["schema"]["enum"] == ["relevance", "faithfulness", "coherence", "completeness", "instruction"]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_nothing_undocumented_is_answered_whatever_is_sent(settings: Settings, mode: GenerationMode):
    """FUZZ_TIMES makes it more; the usual amount is the same every time."""
    seen: Counter[int] = Counter()
    with serving(settings) as api:
        schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{api.port}/openapi.json")
        for found in schema.get_all_operations():
            operation: Any = cast("Any", found).ok()
            if mode is GenerationMode.POSITIVE or operation.body or operation.query:  # else nothing can be wrong
                fuzz(operation.as_strategy(mode), seen)

    assert (200 in seen) == (mode is GenerationMode.POSITIVE), seen
    assert sum(seen.values()) >= CASES * 4


def fuzz(cases: Any, seen: "Counter[int]") -> None:
    @hypothesis.seed(SEED)
    @hypothesis.settings(max_examples=amount(CASES), database=None, deadline=None, suppress_health_check=SLOW)
    @hypothesis.given(case=cases)
    def answers_as_documented(case: Any) -> None:
        seen[case.call_and_validate(checks=CHECKS.get_by_names(KEPT)).status_code] += 1

    answers_as_documented()
