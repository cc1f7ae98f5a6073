"""Every kind of fault once within half a minute; `make chaos` takes longer and looks harder."""

import asyncio
from pathlib import Path

from tests.chaos.faults import fault_kinds
from tests.chaos.options import Options
from tests.chaos.run import run_chaos

KINDS = fault_kinds(lease_seconds=2)


def test_every_event_has_its_one_outcome_whatever_dies_and_no_fault_makes_a_verdict(tmp_path: Path):
    told: list[str] = []
    faults_per_minute = 2 * (len(KINDS) + 10)
    options = Options(
        seed=7, seconds=30, events=800, faults_per_minute=faults_per_minute, lease_seconds=2, drain_seconds=4
    )

    account = asyncio.run(run_chaos(options, tmp_path, told.append))

    assert account.problems() == [], "\n".join(told)
    assert len(account.ledger.outcomes) == 800 + 31
    assert {recovery.fault for recovery in account.recoveries} == set(KINDS)
    assert {"killed", "terminated"} <= {end.fate for end in account.exits}
