"""The circuit: when it opens, who is charged, how it is probed."""

from dataclasses import dataclass, field

import pytest

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.models.circuit import LONGEST_PROBE_SECONDS, Circuit

THROTTLED = ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down")
BROKEN = ModelFailure(FailureKind.TRANSIENT, "server_error", "internal error")
DENIED = ModelFailure(FailureKind.OUTAGE, "access_denied", "no access")


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Scene:
    clock: Clock = field(default_factory=Clock)
    changes: list[str | None] = field(default_factory=list[str | None])

    def __post_init__(self) -> None:
        self.circuit = Circuit(self.clock, self.changes.append)

    def fails(
        self, entry_id: str, failure: ModelFailure = BROKEN, *, answered: bool = False, others: bool = False
    ) -> bool:
        return self.circuit.failed(entry_id, failure, answered=answered, others_in_flight=others)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_an_outage_opens_it_at_once_and_says_why(scene: Scene):
    scene.circuit.tripped("1-0", DENIED)

    assert not scene.circuit.closed
    assert scene.circuit.reason == "access_denied: no access"
    assert scene.changes == ["access_denied: no access"]


def test_an_event_that_fails_again_though_the_model_answers_others_is_charged(scene: Scene):
    assert scene.fails("1-0", others=True) is False
    scene.circuit.succeeded("2-0")

    assert scene.fails("1-0", others=True) is True
    assert scene.circuit.closed


def test_the_onset_of_an_outage_charges_nobody_however_well_it_went_before(scene: Scene):
    scene.circuit.succeeded("0-0")

    assert [scene.fails(f"{number}-0", others=True) for number in range(1, 16)] == [False] * 15
    assert not scene.circuit.closed


def test_an_event_that_fails_alone_in_the_worker_is_charged(scene: Scene):
    assert scene.fails("1-0") is True
    assert scene.circuit.closed


def test_a_throttle_is_never_the_fault_of_an_event_that_is_alone(scene: Scene):
    assert scene.fails("1-0", THROTTLED) is False
    assert not scene.circuit.closed


def test_a_throttle_of_one_judge_while_the_others_are_answered_is_the_events_own(scene: Scene):
    assert scene.fails("1-0", THROTTLED, answered=True) is True
    assert scene.circuit.closed


def test_a_throttle_that_keeps_to_one_event_beside_others_is_charged(scene: Scene):
    scene.fails("1-0", THROTTLED, others=True)
    scene.circuit.succeeded("2-0")

    assert scene.fails("1-0", THROTTLED, others=True) is True


def test_an_event_that_succeeds_after_all_is_no_longer_suspected(scene: Scene):
    scene.fails("1-0", others=True)
    scene.circuit.succeeded("2-0")
    scene.circuit.succeeded("1-0")

    assert scene.fails("1-0", others=True) is False


def test_the_same_event_failing_twice_is_no_outage(scene: Scene):
    scene.fails("1-0")
    scene.fails("1-0")

    assert scene.circuit.closed


def test_nobody_is_charged_while_it_is_open(scene: Scene):
    scene.circuit.tripped("1-0", DENIED)

    assert scene.fails("2-0") is False


def test_open_it_admits_nobody_until_the_wait_is_over_and_then_one(scene: Scene):
    scene.circuit.tripped("1-0", DENIED)

    assert not scene.circuit.admit("2-0")
    scene.clock.now += 1.3
    assert scene.circuit.probe_due
    assert scene.circuit.admit("2-0")
    assert not scene.circuit.admit("3-0")
    assert not scene.circuit.probe_due


def test_a_probe_that_fails_doubles_the_wait_up_to_a_bound(scene: Scene):
    scene.circuit.tripped("1-0", DENIED)
    waits: list[float] = []
    for _ in range(8):
        waits.append(scene.circuit.seconds_to_probe)
        scene.clock.now += scene.circuit.seconds_to_probe
        assert scene.circuit.admit("2-0")
        scene.circuit.tripped("2-0", DENIED)

    assert 0.8 <= waits[0] <= 1.2
    assert 1.6 <= waits[1] <= 2.4
    assert max(waits) <= LONGEST_PROBE_SECONDS * 1.2
    assert scene.changes == ["access_denied: no access"]


def test_stragglers_that_fail_while_it_is_open_do_not_put_off_the_probe(scene: Scene):
    scene.circuit.tripped("1-0", DENIED)
    wait = scene.circuit.seconds_to_probe
    scene.circuit.tripped("2-0", DENIED)

    assert scene.circuit.seconds_to_probe == wait


def test_a_probe_that_never_asked_the_model_makes_way_for_another(scene: Scene):
    scene.circuit.tripped("1-0", DENIED)
    scene.clock.now += 2
    scene.circuit.admit("2-0")
    scene.circuit.abandoned("2-0")

    assert scene.circuit.admit("3-0")


def test_one_success_closes_it(scene: Scene):
    scene.circuit.tripped("1-0", DENIED)
    scene.circuit.succeeded("2-0")

    assert scene.circuit.closed
    assert scene.circuit.reason is None
    assert scene.changes[-1] is None


def test_an_outage_of_days_is_remembered_in_no_more_room_than_one_of_seconds(scene: Scene):
    """A probe every ten seconds makes 8,640 events a day."""
    for number in range(1_000):
        scene.fails(f"{number}-0")
        scene.clock.now += LONGEST_PROBE_SECONDS * 2

    assert not scene.circuit.closed
    assert len(scene.circuit._failing) <= 2
