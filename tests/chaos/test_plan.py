"""A seed makes a run repeatable."""

from random import Random

from tests.chaos.faults import fault_kinds
from tests.chaos.interactions import draw_interactions
from tests.chaos.plan import PlannedFault, plan_faults

KINDS = list(fault_kinds(lease_seconds=5).values())


def plan(seed: int, per_minute: float = 30) -> list[PlannedFault]:
    return plan_faults(Random(seed), KINDS, seconds=120, per_minute=per_minute)


def test_the_same_seed_plans_the_same_faults_and_another_one_others():
    assert plan(1) == plan(1)
    assert plan(1) != plan(2)


def test_as_many_faults_come_as_were_asked_for_and_leave_time_to_come_to_rest():
    faults = plan(1, per_minute=30)
    assert len(faults) == 60
    assert all(12 <= fault.at <= 108 for fault in faults)


def test_where_there_is_room_every_kind_of_fault_comes():
    assert {fault.kind.name for fault in plan(1)} == {kind.name for kind in KINDS}


def test_freezing_and_stalling_outlast_a_lease():
    frozen = [kind for kind in KINDS if "beyond" in kind.name]
    assert len(frozen) == 3
    assert all(kind.seconds[0] > 5 for kind in frozen)


def test_the_same_seed_draws_the_same_interactions_of_every_kind():
    assert draw_interactions(Random(1), 50) == draw_interactions(Random(1), 50)
    assert len({interaction.kind for interaction in draw_interactions(Random(1), 6)}) == 6
