"""The wire formats, held against golden files: whoever changes one of these breaks somebody's reader."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from eval_worker.dead_letter import DeadLetter, decode_fields, encode_fields
from eval_worker.event import decode_answer_event
from eval_worker.result import Result

GOLDEN = Path(__file__).parent


def golden(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8").strip()


def test_an_event_survives_the_round_trip():
    event = decode_answer_event(golden("event.json").encode(), max_bytes=10_000)

    assert event.model_dump_json() == golden("event.json")
    assert event.as_interaction().has_context


def test_an_event_may_leave_out_agent_context_and_type_and_bring_more():
    document = {"event_id": "e", "interaction": {"user_query": "q", "answer": "", "mood": "fine"}, "trace_id": 7}

    event = decode_answer_event(json.dumps(document).encode(), max_bytes=10_000)

    assert (event.event_type, event.agent, event.as_interaction().context) == ("agent_response", None, "")


def test_a_result_survives_the_round_trip_in_the_promised_order():
    result = Result.model_validate_json(golden("result.json"))

    assert result.model_dump_json(by_alias=True) == golden("result.json")


@pytest.mark.parametrize("confidence", ["NaN", "Infinity", "1.1", "-0.1"])
def test_a_confidence_that_is_no_share_is_never_written(confidence: str):
    with pytest.raises(ValidationError):
        Result.model_validate_json(
            golden("result.json").replace('"confidence":0.953333333333', f'"confidence":{confidence}')
        )


def test_a_dead_letter_is_written_as_promised():
    letter = DeadLetter(
        fields=((b"payload", b"\xff\xfe{}"), (b"trace", "größe".encode())),
        reason="payload: is not UTF-8 (byte 0)",
        error="malformed_event",
        source_id="1700000000000-0",
        deliveries=1,
        failed_at=datetime(2026, 1, 1, tzinfo=UTC),
        worker="host-1",
    )

    fields = dict(letter.to_stream_fields())

    assert fields.pop("payload") == b"\xff\xfe{}"
    expected = json.loads(golden("dead_letter.json"))
    assert expected.pop("payload") == {"base64": "//57fQ=="}
    assert {name: value.decode() for name, value in fields.items()} == expected


def test_a_reason_with_half_a_character_does_not_keep_a_dead_letter_from_being_written():
    letter = DeadLetter((), "no: \ud83d", "unjudged", "1-0", 1, datetime(2026, 1, 1, tzinfo=UTC), "host-1")

    assert dict(letter.to_stream_fields())["reason"] == b"no: \\ud83d"


def test_a_long_field_of_control_characters_does_not_grow_sixfold():
    fields = ((b"payload", b"\x01" * 1_000_000),)

    assert len(encode_fields(fields)) < 1_400_000
    assert decode_fields(encode_fields(fields)) == list(fields)


@given(st.lists(st.tuples(st.binary(max_size=8), st.binary(max_size=8)), max_size=6))
def test_the_fields_of_a_dead_letter_come_back_byte_by_byte(fields: list[tuple[bytes, bytes]]):
    assert decode_fields(encode_fields(fields)) == fields
