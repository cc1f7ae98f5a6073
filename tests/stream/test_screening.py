"""Screening: a batch goes through together, and what becomes of one entry is no other's business."""

import json
from typing import Any

from tests.events import event, rubbish

from eval_worker.assessment import AnyEvent, Assessment, Assessor
from eval_worker.models.offline import OfflineModel
from eval_worker.settings import load_settings
from eval_worker.stream.entry import Entry
from eval_worker.stream.outcome import OutcomeWriter
from eval_worker.stream.screening import (
    MOST_BYTES_IN_A_BATCH,
    MOST_IN_A_BATCH,
    Candidate,
    Screened,
    Screening,
    in_batches,
)
from eval_worker.stream.settle import Settlement
from eval_worker.telemetry.metrics import Metrics
from eval_worker.wiring.judging import build_assessor, build_result_writer, read_judges

SETTINGS = load_settings(judge_model="offline")
JUDGES, MODEL = read_judges(SETTINGS), OfflineModel()
METRICS = Metrics()


def entry(number: int, document: Any, deliveries: int = 1) -> Entry:
    payload = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Entry(f"1-{number}", ((b"payload", payload),), deliveries)


def screened(*entries: Entry, assessor: Assessor | None = None, metrics: Metrics | None = None) -> list[Screened]:
    outcomes = OutcomeWriter(build_result_writer(SETTINGS, JUDGES, MODEL), "worker-1")
    screening = Screening(
        assessor or build_assessor(SETTINGS, JUDGES, MODEL),
        outcomes,
        metrics or METRICS,
        max_deliveries=5,
        max_event_bytes=10_000,
    )
    return screening.screen(entries)


def label(step: Screened) -> str:
    return step.label if isinstance(step, Settlement) else type(step).__name__


def test_each_entry_of_a_batch_has_what_becomes_of_it_in_its_place():
    steps = screened(
        entry(1, event()), entry(2, b"{"), entry(3, rubbish()), entry(4, event(), deliveries=6), entry(5, event())
    )

    assert [label(step) for step in steps] == ["Candidate", "dead_letter", "fail", "dead_letter", "Candidate"]
    assert [step.entry.id for step in steps if isinstance(step, Settlement | Candidate)] == [
        f"1-{number}" for number in range(1, 6)
    ]


def test_a_bug_that_one_event_shows_is_told_in_its_place_and_costs_no_other():
    assessor = build_assessor(SETTINGS, JUDGES, MODEL)
    begin = assessor.begin

    class Buggy(Assessor):
        def __init__(self) -> None:
            """Borrow what the other one has."""

        def begin(self, event: AnyEvent) -> Assessment:
            if event.event_id == "buggy":
                raise ZeroDivisionError
            return begin(event)

    steps = screened(entry(1, rubbish()), entry(2, rubbish("buggy")), entry(3, rubbish()), assessor=Buggy())

    assert [label(step) for step in steps] == ["fail", "ZeroDivisionError", "fail"]


def test_early_exits_and_no_others_are_counted_as_such():
    metrics = Metrics()

    screened(entry(1, event()), entry(2, rubbish()), entry(3, rubbish()), entry(4, b"{"), metrics=metrics)

    assert metrics.registry.get_sample_value("eval_early_exits_total") == 2


def test_many_small_entries_are_divided_by_their_number():
    entries = [entry(number, b"{}") for number in range(MOST_IN_A_BATCH + 1)]

    assert [len(batch) for batch in in_batches(entries)] == [MOST_IN_A_BATCH, 1]


def test_a_large_entry_is_a_batch_of_its_own():
    large, small = entry(1, b"x" * MOST_BYTES_IN_A_BATCH), entry(2, b"{}")

    assert list(in_batches([small, large, large, small])) == [[small], [large], [large], [small]]


def test_nothing_to_screen_is_no_batch():
    assert list(in_batches([])) == []
