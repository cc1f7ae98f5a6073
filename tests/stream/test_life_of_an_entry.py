"""Whatever happens to an entry, in whatever order: it has one outcome in the end, and was charged what it should be.

Several workers do to one stream all that workers do, and all that befalls them: replies are lost, processes die or go
on with what was taken from them, groups and entries are deleted by people, memory runs out, another group reads along.
After every step the contract is checked against the server itself.

LIFE_EXAMPLES=2000 looks further, at other orders every time; what fails is printed as the steps that lead to it.
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, note
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from hypothesis.strategies import SearchStrategy
from tests.events import GROUP
from tests.servers.suite_server import SuiteServer
from tests.stream.lives_of_entries import NAMES, OTHER_GROUP, Lives
from tests.stream.simulated_worker import LEASE_SECONDS, Loss

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream import fetch as fetch_module
from eval_worker.stream import janitor as janitor_module
from eval_worker.stream import settle as settle_module

ASKED_FOR = os.environ.get("LIFE_EXAMPLES")
EXAMPLES = int(ASKED_FOR or 35)
STEPS_OF_ONE = 50
CROWDED = 4  # entries: with few of them, more befalls each

any_number = st.integers(0, 9_999)
nth = st.integers(0, 5)
few = st.integers(1, 3)
losses = st.sampled_from([Loss.NOTHING] * 4 + [Loss.REPLY, Loss.REQUEST])
once_in_eight = st.sampled_from([False] * 7 + [True])


@dataclass(frozen=True)
class Step:
    """How often it is taken, compared with the others, when it can be, and with what."""

    weight: int
    possible: Callable[[Lives], object]
    arguments: SearchStrategy[dict[str, Any]]


def given(**arguments: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(arguments)


def anyone(lives: Lives) -> object:
    return lives.workers


STEPS = {
    "produce": Step(8, lambda lives: len(lives.seen.on_stream) < CROWDED, given(count=st.integers(1, 2))),
    "read": Step(
        8,
        lambda lives: lives.workers and (lives.seen.undelivered or GROUP not in lives.seen.groups),
        given(index=nth, most=few, lost=losses),
    ),
    "finish": Step(6, Lives.in_hand, given(index=nth, dead=st.booleans())),
    "settle": Step(8, Lives.with_outcomes, given(index=nth, lost=losses, full=once_in_eight)),
    "give_back": Step(
        6, Lives.in_hand, given(index=nth, charged=st.booleans(), delay=st.sampled_from([0.0, LEASE_SECONDS / 2]))
    ),
    "release": Step(6, Lives.with_releases, given(index=nth, lost=losses)),
    "reclaim": Step(8, lambda lives: lives.workers and lives.seen.pending, given(index=nth, most=few, lost=losses)),
    "claim_a_suspect": Step(
        6, lambda lives: lives.idle_workers() and lives.seen.pending, given(index=nth, lost=losses)
    ),
    "renew": Step(5, Lives.busy_workers, given(index=nth, lost=losses)),
    "time_passes": Step(
        7,
        lambda lives: lives.seen.pending,
        given(seconds=st.sampled_from([LEASE_SECONDS + 1, LEASE_SECONDS / 2, 1.0])),
    ),
    "finish_all_the_same": Step(3, Lives.in_the_hands_of_zombies, given(index=nth, dead=st.booleans())),
    "sweep": Step(2, anyone, given(index=nth, lost=losses)),
    "leave": Step(1, anyone, given(index=nth)),
    "crash": Step(2, anyone, given(index=nth)),
    "start_again": Step(6, lambda lives: len(lives.workers) < len(NAMES), given()),
    "clean_up": Step(2, anyone, given(index=nth, late=st.booleans())),
    "delete_an_entry": Step(1, lambda lives: lives.seen.on_stream, given(index=nth)),
    "destroy_the_group": Step(1, lambda lives: GROUP in lives.seen.groups, given()),
    "another_group_comes": Step(1, lambda lives: OTHER_GROUP not in lives.seen.groups, given(from_start=st.booleans())),
    "another_group_reads": Step(
        2, lambda lives: OTHER_GROUP in lives.seen.groups, given(most=few, acknowledged=st.booleans())
    ),
    "another_group_goes": Step(1, lambda lives: OTHER_GROUP in lives.seen.groups, given()),
}


class AnyOrder(RuleBasedStateMachine):
    """One rule for all steps: hypothesis takes each rule as often as any other, and most steps need others first."""

    def __init__(self, lives: Lives) -> None:
        super().__init__()
        self.lives = lives

    @rule(data=st.data())
    def somebody_does_something(self, data: st.DataObject) -> None:
        possible = [name for name, step in STEPS.items() if step.possible(self.lives) for _ in range(step.weight)]
        name = possible[data.draw(any_number) % len(possible)]
        arguments = data.draw(STEPS[name].arguments)
        note(f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})")
        getattr(self.lives, name)(**arguments)

    @invariant()
    def the_contract_holds(self) -> None:
        self.lives.the_contract_holds()

    def teardown(self) -> None:
        self.lives.end()


def any_order_in(begin: Callable[[], Lives]) -> type[AnyOrder]:
    class Begun(AnyOrder):
        def __init__(self) -> None:
            super().__init__(begin())

    return Begun


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch_module, "BLOCK_MS", 1)
    monkeypatch.setattr(settle_module, "REFUSED_WAIT_SECONDS", 0)
    monkeypatch.setattr(janitor_module, "CONSUMER_GONE_AFTER_SECONDS", -1.0)


@pytest.mark.parametrize("keep_events", [False, True])
def test_every_entry_gets_one_outcome_whatever_happens(
    settings: Settings, server: SuiteServer, redis_client: Any, no_waiting: None, *, keep_events: bool
):
    with asyncio.Runner() as runner:
        client = connect(settings, block_seconds=1)
        try:
            run_state_machine_as_test(
                any_order_in(lambda: Lives(runner.run, client, redis_client, server.tell, keep_events=keep_events)),
                settings=hypothesis_settings(
                    max_examples=EXAMPLES,
                    stateful_step_count=STEPS_OF_ONE,
                    derandomize=ASKED_FOR is None,
                    database=None,
                    deadline=None,
                    print_blob=True,
                    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
                ),
            )
        finally:
            runner.run(client.aclose())
