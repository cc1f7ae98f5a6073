"""What people said of a record: read as they write it, and refused with the field's name where it can't be."""

from typing import Any

import pytest
from pydantic_core import to_json
from tests.events import conversations, event
from tests.stored_results import make_result

from eval_worker.evaluation.aggregate import ScoringPolicy, Verdict
from eval_worker.tables.row import Row
from eval_worker.validation.annotation import AnnotatedRecord, BadRecord, read_annotation
from eval_worker.validation.earlier_results import EarlierResults


def read(document: dict[str, Any]) -> AnnotatedRecord | BadRecord:
    return read_annotation(Row.from_json(7, to_json(document)), ScoringPolicy(), max_bytes=1_000_000)


def label_of(**annotation: Any) -> Verdict:
    record = read(event() | annotation)
    assert isinstance(record, AnnotatedRecord)
    return record.human


def problem_of(document: dict[str, Any]) -> str:
    record = read(document)
    assert isinstance(record, BadRecord)
    assert record.number == 7
    return record.problem


@pytest.mark.parametrize("written", ["pass", "Pass", " PASS "])
def test_a_label_is_taken_as_people_write_it(written: str):
    assert label_of(human_annotation=written) is Verdict.PASS


@pytest.mark.parametrize(("score", "label"), [(0.9, "pass"), (0.8, "review"), (0.5, "fail")])
def test_scores_alone_make_a_label_by_the_verdicts_thresholds_and_it_is_marked(score: float, label: str):
    record = read(event() | {"human_scores": {"relevance": score, "coherence": score}})

    assert isinstance(record, AnnotatedRecord)
    assert (record.human, record.label_from_scores) == (label, True)


def test_a_label_goes_before_what_the_scores_would_make():
    assert label_of(human_annotation="fail", human_scores={"relevance": 1.0}) is Verdict.FAIL


def test_scores_go_by_the_judges_name_with_or_without_its_suffix_and_empty_cells_are_none():
    record = read(event() | {"human_scores": {"relevance-judge": "0.25", "coherence": "", "instruction": None}})

    assert isinstance(record, AnnotatedRecord)
    assert record.human_scores == {"relevance": 0.25}


@pytest.mark.parametrize(
    ("annotation", "says"),
    [
        ({}, "has neither human_annotation"),
        ({"human_annotation": ""}, "has neither human_annotation"),
        ({"human_annotation": "good"}, "human_annotation: must be pass, review or fail"),
        ({"human_annotation": ["pass"]}, "human_annotation: must be pass, review or fail"),
        ({"human_annotation": True}, "human_annotation: must be pass, review or fail"),
        ({"human_scores": {"relevance": 4}}, "human_scores.relevance: must be at most 1"),
        ({"human_scores": {"relevance": True}}, "human_scores.relevance: must be a number from 0 to 1"),
        ({"human_scores": {"relevance": "NaN"}}, "human_scores.relevance: must be"),
        ({"human_scores": {"relevance": "high"}}, "human_scores.relevance: must be a number"),
        ({"human_scores": {}}, "has neither human_annotation"),
        ({"human_scores": [1]}, "human_scores: must be a JSON object, not a list"),
        ({"human_annotation": "pass", "result": {"id": "e"}}, "result."),
    ],
)
def test_what_cannot_be_read_is_refused_and_names_the_field(annotation: dict[str, Any], says: str):
    assert says in problem_of(event() | annotation)


def test_an_event_that_cannot_be_judged_is_refused_in_the_events_own_words():
    assert problem_of({"event_id": "e", "human_annotation": "pass"}) == "interaction: is required"


def test_a_record_about_conversations_is_bad_as_no_judge_of_answers_has_a_say_in_it():
    record = conversations() | {"human_annotation": "pass"}

    assert problem_of(record) == "event_type: agent_conversation can't be used here: this takes one answer"


def test_a_result_about_conversations_is_not_compared_either():
    result = make_result(event_type="agent_conversation").model_dump(mode="json", by_alias=True)

    assert problem_of({"human_annotation": "pass", "result": result}).startswith(
        "result.event_type: agent_conversation"
    )


def test_an_earlier_result_about_conversations_is_no_answers_even_of_the_same_id():
    rows = [
        Row.from_json(number, to_json(make_result("evt-001", event_type=kind).model_dump(mode="json", by_alias=True)))
        for number, kind in enumerate(("agent_conversation", "agent_response"), 1)
    ]
    record = read(event("evt-001") | {"human_annotation": "pass"})
    assert isinstance(record, AnnotatedRecord)

    found = EarlierResults(rows).of(record)

    assert found is not None
    assert found.event_type == "agent_response"
