"""The circuit: when it opens, who is charged, how it is probed."""

from dataclasses import dataclass, field

import pytest

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.stream.circuit import LONGEST_PROBE_SECONDS, Circuit

THROTTLED = ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down")
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

    def fails(self, entry_id: str, *, others: bool = False, started_at: float | None = None) -> bool:
        started = self.clock.now if started_at is None else started_at
        self.clock.now += 0.001
        return self.circuit.failed(entry_id, THROTTLED, started_at=started, others_in_flight=others)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_an_outage_opens_it_at_once_and_says_why(scene: Scene):
    scene.circuit.tripped("1-0", DENIED)

    assert not scene.circuit.closed
    assert scene.circuit.reason == "access_denied: no access"
    assert scene.changes == ["access_denied: no access"]


def test_a_failure_beside_a_success_is_the_events_own(scene: Scene):
    started = scene.clock.now
    scene.circuit.succeeded()

    assert scene.fails("1-0", started_at=started, others=True) is True
    assert scene.circuit.closed


def test_an_event_that_fails_alone_in_the_worker_is_charged(scene: Scene):
    assert scene.fails("1-0") is True
    assert scene.circuit.closed


def test_the_first_to_fail_while_others_are_in_flight_is_not_charged_and_the_second_opens_it(scene: Scene):
    assert scene.fails("1-0", others=True) is False
    assert scene.circuit.closed
    assert scene.fails("2-0", others=True) is False
    assert not scene.circuit.closed


def test_the_same_event_failing_twice_is_no_outage(scene: Scene):
    scene.fails("1-0")
    scene.fails("1-0")

    assert scene.circuit.closed


def test_nobody_is_charged_while_it_is_open(scene: Scene):
    started = scene.clock.now
    scene.circuit.succeeded()
    scene.circuit.tripped("1-0", DENIED)

    assert scene.fails("2-0", started_at=started) is False


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
    scene.circuit.succeeded()

    assert scene.circuit.closed
    assert scene.circuit.reason is None
    assert scene.changes[-1] is None
