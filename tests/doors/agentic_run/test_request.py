"""A request is checked part by part; each error has the documented words, or names the field."""

import json
from typing import Any

import pytest
from tests.doors.agentic_run.run_requests import CAPITAL, QUIZ, TRIP, WRONG, body, conversation, request

from eval_worker.agentic.config import AgenticConfig
from eval_worker.doors.agentic_run.refusal import RunRefusedError
from eval_worker.doors.agentic_run.request import read_connector, read_document, read_judging

NO_WEIGHTS = dict.fromkeys(("selection", "parameters", "sequence", "utilization"), 0)


def refused(document: Any) -> RunRefusedError:
    with pytest.raises(RunRefusedError) as refusal:
        read(document)
    return refusal.value


def read(document: Any) -> None:
    given = read_document(document if isinstance(document, bytes) else body(document))
    read_connector(given)
    read_judging(given)


@pytest.mark.parametrize(
    ("document", "error"),
    [
        (request(connector=None), "No connector configuration provided"),
        ({**request(), "connector": None}, "No connector configuration provided"),
        ({}, "No connector configuration provided"),
        (request(connector={}), "connector.class_path is required"),
        (request(connector={"class_path": None}), "connector.class_path is required"),
        (request(connector={"class_path": "", "params": {}}), "connector.class_path is required"),
        (request(datasets=None), "No datasets provided"),
        ({**request(), "datasets": None}, "No datasets provided"),
        (request(datasets=[]), "No datasets provided"),
    ],
)
def test_what_is_missing_has_the_documented_error_and_no_detail(document: Any, error: str):
    refusal = refused(document)

    assert refusal.as_response() == {"success": False, "error": error}
    assert refusal.status == 400


def test_datasets_without_any_qa_id_have_theirs_with_the_first_problem_as_detail():
    nameless = {name: value for name, value in CAPITAL.items() if name != "qa_id"}

    for datasets, detail in (
        ([conversation("a"), conversation("b")], "datasets.0.conversation: must not be empty"),
        ([conversation("a", nameless)], "datasets.0.conversation.0.qa_id: is required"),
        ([conversation("a", {**CAPITAL, "qa_id": None})], "datasets.0.conversation.0.qa_id: must be text, not null"),
        ([conversation("a", {**CAPITAL, "qa_id": ""})], "datasets.0.conversation.0.qa_id: must not be empty"),
        ([{"session_id": "a", "assistant_id": "b"}], "datasets.0.conversation: is required"),
        ([5], "datasets.0: must be a JSON object, not a number"),
    ):
        refusal = refused(request(datasets=datasets))
        assert (refusal.error, refusal.detail) == ("No qa_ids found in datasets", detail)


def test_an_empty_conversation_beside_full_ones_is_named():
    assert refused(request(datasets=[TRIP, conversation("b")])).error == "datasets.1.conversation: must not be empty"


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"connector": "offline"}, "connector: must be a JSON object"),
        ({"datasets": "all"}, "datasets: must be a list, not text"),
        ({"datasets": {"a": 1}}, "datasets: must be a list, not an object"),
        ({"datasets": [QUIZ, 5]}, "datasets.1: must be a JSON object, not a number"),
        ({"datasets": [conversation("a", {**CAPITAL, "qa_id": " "})]}, "datasets.0.conversation.0.qa_id: must not be"),
        ({"datasets": [conversation("a", {**CAPITAL, "query": 7})]}, "datasets.0.conversation.0.query: must be text"),
        ({"config": {"k": 0}}, "config.k: must be at least 1"),
        ({"config": {"k": "3"}}, "config.k: "),
        ({"config": {"k": True}}, "config.k: "),
        ({"config": {"threshold": 1.5}}, "config.threshold: must be at most 1"),
        ({"config": {"tool_weights": NO_WEIGHTS}}, "config.tool_weights: must not all be 0"),
        ({"config": {"tool_weights": {"speed": 1}}}, "config.tool_weights.speed: is no key that is known here"),
        ({"config": []}, "config: must be a JSON object, not a list"),
    ],
)  # fmt: skip
def test_anything_else_that_is_wrong_is_named_by_its_path(parts: dict[str, Any], error: str):
    assert refused(request(**parts)).error.startswith(error)


@pytest.mark.parametrize(
    ("connector", "detail"),
    [
        ({"class_path": 5}, "connector.class_path: must be text, not a number"),
        ({"class_path": ["os"]}, "connector.class_path: must be text, not a list"),
        ({"class_path": "offline", "params": "sk-secret"}, "connector.params: must be a JSON object, not text"),
    ],
)
def test_a_connector_of_the_wrong_types_can_not_be_created(connector: Any, detail: str):
    refusal = refused(request(connector=connector))

    assert (refusal.error, refusal.detail) == ("Failed to create LLM connector", detail)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"", "body: must be a JSON object, and there is no body"),
        (b" \n", "body: must be a JSON object, and there is no body"),
        (b"[]", "body: must be a JSON object"),
        (b"null", "body: must be a JSON object"),
        (b'{"connector": ', "body: is not JSON: EOF while parsing a value"),
        (b"\xff\xfe", "body: is not JSON: "),
        (b'{"connector": "\\ud800"}', "body: is not JSON: "),
        (b"[" * 100_000, "body: is not JSON: recursion limit exceeded"),
        (b'{"k": NaN}', "body: is not JSON: "),
    ],
)
def test_a_body_that_is_no_json_object_is_refused_in_words(text: bytes, error: str):
    assert refused(text).error.startswith(error)


def test_what_is_null_or_left_out_has_the_defaults_that_are_documented_for_requests():
    for parts in ({"config": None}, {"config": {}}):
        config = read_judging({**request(), **parts}).config
        assert config == AgenticConfig()
    assert (config.threshold, config.tool_threshold, config.k) == (0.7, 0.75, 3)
    assert (config.use_structured_output, config.verbose, config.require_tools) == (False, False, False)


@pytest.mark.parametrize(
    ("config", "error"),
    [
        ({"treshold": 0.9}, "config.treshold: is no key that is known here"),
        (
            {"k": 2, "statistical_mode": {"name": "bayesian", "lvel": 0.9}},
            "config.statistical_mode.bayesian.lvel: is no",
        ),
    ],
)
def test_a_misspelt_key_of_the_config_is_named(config: dict[str, Any], error: str):
    assert refused(request(config=config)).error.startswith(error)


def test_unknown_keys_are_ignored_everywhere_else():
    noted = json.loads(json.dumps(request(datasets=[conversation("a", {**WRONG, "note": 1}) | {"note": 1}], note=1)))

    assert read_judging(noted).datasets[0].conversation[0].qa_id == "wrong"
