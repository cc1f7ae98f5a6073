"""The ledger finds what it is there for: an account that can't fail proves nothing."""

import json
from typing import Any

from tests.chaos.account import Account, Recovery
from tests.chaos.fleet import Exit
from tests.chaos.ledger import Ledger, Outcome
from tests.chaos.probes import Drain

PASS, FAIL = ("pass", 0.9), ("fail", 0.1)
SENT = {"1-1": PASS, "1-2": FAIL}
NAMES = {"1-1": "evt-1", "1-2": "evt-2"}
FIRST, SECOND = Outcome("1-1", PASS, 1, "evt-1"), Outcome("1-2", FAIL, 3, "evt-2")
KILL = Recovery("worker killed", at=1.0, lasted=0.0, in_flight=4, seconds=1.0)


def account(*outcomes: Outcome, **changes: Any) -> Account:
    figures: dict[str, Any] = {
        "recoveries": [KILL],
        "exits": [],
        "drains": [],
        "drain_seconds": 5.0,
        "left": {"the event stream": 0},
        "outbursts": [],
        "errors_logged": {},
        "judged_seconds": 1.0,
        "read_ahead": 64,
        "workers": 4,
    }
    return Account(Ledger(SENT, NAMES, outcomes), **{**figures, **changes})


def test_one_outcome_each_is_no_problem():
    assert account(SECOND, FIRST).problems() == []


def test_an_event_without_an_outcome_is_lost():
    assert account(FIRST).problems() == ["1 events without an outcome: 1-2"]


def test_an_event_with_two_outcomes_is_doubled_even_if_they_agree():
    assert account(FIRST, SECOND, SECOND).problems() == ["1 events with more than one outcome: 1-2"]


def test_an_outcome_of_what_was_never_sent_is_noticed():
    assert account(FIRST, SECOND, Outcome("9-9", PASS, 1)).problems() == ["1 events judged that were never sent: 9-9"]


def test_another_verdict_than_in_the_calm_run_is_noticed():
    (problem,) = account(FIRST, Outcome("1-2", PASS, 1)).problems()
    assert problem == "1 events judged otherwise than in the calm run: 1-2 ('fail', 0.1) -> ('pass', 0.9)"


def test_what_is_left_on_the_stream_is_noticed():
    assert account(FIRST, SECOND, left={"the event stream": 3}).problems() == ["3 entries left in the event stream"]


def test_a_result_that_names_another_event_is_noticed():
    assert account(FIRST, Outcome("1-2", FAIL, 1, "evt-1")).problems() == [
        "1 events whose result names another event: 1-2"
    ]


def test_deliveries_are_counted_and_must_have_been_somebodys_fault():
    assert account(FIRST, SECOND).ledger.deliveries == {1: 1, 3: 1}
    assert account(FIRST, SECOND, recoveries=[]).problems() == ["2 deliveries charged, where 0 at most were to blame"]


def test_a_bug_that_a_worker_logged_is_noticed():
    assert account(FIRST, SECOND, errors_logged={"evaluating an event raised; this is a bug": 1}).problems() == [
        "a worker logged: evaluating an event raised; this is a bug"
    ]


def test_a_worker_must_leave_with_zero_and_in_time_when_told_to():
    exits = [
        Exit("a", 0, "terminated", ready=True, seconds=4),
        Exit("b", -9, "killed", ready=True, seconds=0),
        Exit("c", 1, None, ready=False, seconds=0),  # the server was away when it started
        Exit("d", -15, "terminated", ready=False, seconds=0),
    ]
    assert account(FIRST, SECOND, exits=exits).problems() == []
    exits = [
        Exit("late", 0, "terminated", ready=True, seconds=12),
        Exit("rude", 1, "stopped at the end", ready=True, seconds=1),
        Exit("dead", 1, None, ready=True, seconds=0),
        Exit("gone", 0, None, ready=True, seconds=0),
    ]
    assert account(FIRST, SECOND, exits=exits).problems() == [
        "late took 12.0 s to leave on SIGTERM",
        "rude left with 1 on SIGTERM",
        "dead ended by itself with 1",
        "gone ended by itself with 0",
    ]


def test_what_a_worker_wrote_beside_its_log_is_noticed():
    assert account(FIRST, SECOND, outbursts=["a.log: Traceback (most recent call last):"]).problems() == [
        "a worker wrote what is no log line: a.log: Traceback (most recent call last):"
    ]


def test_a_verdict_is_all_that_was_judged_and_nothing_of_when_and_how_often():
    document = {
        "id": "evt-1",
        "source_id": "1-1",
        "verdict": "pass",
        "confidence": 0.9,
        "early_exit": False,
        "partial": False,
        "stages": [{"name": "length-checker", "score": 1.0, "status": "ok", "reason": "…", "duration_ns": 5}],
        "attempt": 4,
        "worker": "a",
    }
    outcome = Outcome.of_result({b"payload": json.dumps(document).encode()})

    verdict = ("pass", 0.9, False, False, (("length-checker", 1.0, "ok"),))
    assert outcome == Outcome("1-1", verdict, 4, "evt-1")


def test_a_drain_that_was_announced_and_kept_to_is_no_problem():
    assert account(FIRST, SECOND, drains=[Drain("chaos-1", unready_after=0.01, in_flight=3)]).problems() == []


def test_a_worker_that_leaves_without_saying_so_first_or_takes_it_back_or_looks_dead_is_noticed():
    silent = Drain("chaos-1", looks=100)
    wavering = Drain("chaos-2", unready_after=0.01, ready_again=True)
    dead = Drain("chaos-3", unready_after=0.01, dead=True)

    assert account(FIRST, SECOND, drains=[silent, wavering, dead]).problems() == [
        "chaos-1 drained without /readyz ever having said that it drains",
        "chaos-2 drained and said meanwhile that it was ready again",
        "chaos-3 drained and said meanwhile on /healthz that it was dead",
    ]
