"""What was spent in the last sixty minutes, by the minute."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_worker.models.budget import BUCKET_SECONDS, HOUR_SECONDS, Budget


class Purse:
    """A budget, the clock it goes by, and what it has said."""

    def __init__(self, limit_usd: float | None) -> None:
        self.now = 0.0
        self.said: list[str | None] = []
        self.budget = Budget(limit_usd, lambda: self.now, self.said.append)

    def spend(self, usd: float | None, *, at: float | None = None) -> None:
        self.now = self.now if at is None else at
        self.budget.spend(usd)


def test_more_may_be_spent_until_the_limit_is_reached():
    purse = Purse(1.0)
    purse.spend(0.6)
    assert purse.budget.may_spend()
    purse.spend(0.4)
    assert not purse.budget.may_spend()
    assert purse.budget.spent_usd == 1.0


def test_it_is_said_once_when_it_is_spent_and_once_when_there_is_room_again():
    purse = Purse(1.0)
    for _ in range(3):
        purse.spend(0.5)
    assert purse.said == [
        "paused: $1.00 was spent in the last 60 minutes and MAX_COST_PER_HOUR is 1; it goes on in 61 min"
    ]
    purse.now = HOUR_SECONDS + BUCKET_SECONDS
    assert purse.budget.may_spend()
    assert purse.budget.may_spend()
    assert purse.said[1:] == [None]


def test_there_is_room_as_soon_as_enough_of_it_is_an_hour_ago():
    purse = Purse(1.0)
    for minute in range(4):
        purse.spend(0.4, at=minute * 60.0)
    # 1.6 in all: the first two minutes have to go, the second of which ends at 120 s.
    assert purse.budget.seconds_to_room == 120 + HOUR_SECONDS - 180
    purse.now += purse.budget.seconds_to_room - 0.01
    assert not purse.budget.may_spend()
    purse.now += 0.01
    assert purse.budget.may_spend()
    assert purse.budget.spent_usd == pytest.approx(0.8)


def test_without_a_limit_it_only_counts():
    purse = Purse(None)
    purse.spend(1_000_000.0)
    assert purse.budget.may_spend()
    assert purse.budget.what_is_wrong() is None
    assert purse.budget.spent_usd == 1_000_000.0
    assert purse.said == []


def test_what_is_not_known_of_one_call_is_not_known_of_its_hour():
    purse = Purse(None)
    purse.spend(None)
    purse.spend(0.5)
    assert purse.budget.spent_usd is None
    purse.spend(0.25, at=HOUR_SECONDS + 60.0)
    assert purse.budget.spent_usd == 0.25


def test_a_year_of_spending_takes_the_room_of_an_hour():
    purse = Purse(None)
    for hour in range(500):
        purse.spend(0.1, at=hour * 1_000.0)
    assert len(purse.budget._minutes) <= HOUR_SECONDS / BUCKET_SECONDS + 1


@given(
    st.lists(st.tuples(st.floats(0, 600), st.floats(0, 1)), min_size=1, max_size=60),
    st.floats(0.1, 3),
)
def test_it_never_pauses_for_longer_than_it_says_nor_for_less(calls: list[tuple[float, float]], limit: float):
    purse = Purse(limit)
    for pause, usd in calls:
        purse.spend(usd, at=purse.now + pause)
    wait = purse.budget.seconds_to_room
    assert (wait > 0) == purse.budget.exhausted
    assert wait <= HOUR_SECONDS + BUCKET_SECONDS
    purse.now += wait + 1e-6
    assert purse.budget.may_spend()
