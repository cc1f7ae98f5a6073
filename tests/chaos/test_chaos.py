"""Every kind of fault once within half a minute; `make chaos` takes longer and looks harder."""

import asyncio
from pathlib import Path

from tests.chaos.faults import fault_kinds
from tests.chaos.options import Options
from tests.chaos.run import run_chaos

KINDS = fault_kinds(lease_seconds=2)


def test_every_event_has_its_one_outcome_whatever_dies_and_no_fault_makes_a_verdict(tmp_path: Path):
    told: list[str] = []
    faults_per_minute = 2.5 * (len(KINDS) + 5)
    options = Options(
        seed=7, seconds=24, events=500, faults_per_minute=faults_per_minute, lease_seconds=2, drain_seconds=4
    )

    account = asyncio.run(run_chaos(options, tmp_path, told.append))

    assert account.problems() == [], "\n".join(told)
    assert len(account.ledger.outcomes) == 500 + 31
    assert {recovery.fault for recovery in account.recoveries} == set(KINDS)
    assert {"killed", "terminated"} <= {end.fate for end in account.exits}


def test_what_is_nobodys_fault_is_charged_to_no_event(tmp_path: Path):
    """Shutdowns, cuts, lost replies, a server that dies and a group that is destroyed: each event has one delivery."""
    innocent = (
        "worker terminated",
        "server killed and restarted",
        "all connections cut",
        "replies lost",
        "group destroyed",
        "scripts flushed",
        "access withdrawn and returned",
    )
    options = Options(
        seed=3,
        seconds=15,
        events=300,
        faults_per_minute=56,
        lease_seconds=10,
        drain_seconds=5,
        only=innocent,
        poison=False,
    )

    account = asyncio.run(run_chaos(options, tmp_path, lambda _: None))

    assert account.problems() == []
    assert account.ledger.deliveries == {1: 300}


def test_a_rolling_restart_under_load_says_that_it_drains_first_and_costs_no_event_anything(tmp_path: Path):
    options = Options(
        seed=11,
        seconds=8,
        events=1_000,
        workers=2,
        faults_per_minute=48,
        drain_seconds=5,
        only=("worker terminated",),
        poison=False,
    )

    account = asyncio.run(run_chaos(options, tmp_path, lambda _: None))

    assert account.problems() == []
    assert account.ledger.deliveries == {1: 1_000}
    assert sum(drain.in_flight for drain in account.drains) > 0
