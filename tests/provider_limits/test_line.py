"""Who goes when, and what becomes of those who don't wait any longer."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from math import e

import pytest
from structlog.testing import capture_logs
from tests.provider_limits.providers import REPLY, THROTTLED, Clock
from tests.virtual_time import in_virtual_time

from eval_worker.evaluation.judges.model import ModelFailure, ModelReply, Usage
from eval_worker.provider_limits.line import FIRST_WINDOW, LEAST_WAITING, WIDENING_SECONDS, CallTurn, Line
from eval_worker.provider_limits.pace import MINUTE, Grant, Quotas
from eval_worker.provider_limits.pace_keeper import PaceKeeper, PacesInMemory

MODEL = "a-model"
LONG = 1_000.0
NO_QUOTAS = Quotas()
Scenario = Callable[[Line, Clock], Awaitable[None]]


@pytest.fixture(autouse=True)
def logs():
    with capture_logs() as logs:
        yield logs


def with_a_line(scenario: Scenario, quotas: Quotas = NO_QUOTAS, keeper: PaceKeeper | None = None) -> None:
    async def run(clock: Clock) -> None:
        line = Line(keeper or PacesInMemory(quotas, clock), MODEL, clock, lambda _seconds: None, lambda: None)
        await asyncio.wait_for(scenario(line, clock), LONG)

    in_virtual_time(run)


async def turn_of(line: Line, tokens: float = 0.0, *, again: bool = False) -> CallTurn:
    turn = line.at_once(tokens) or await line.wait(tokens, again=again, within=LONG)
    assert isinstance(turn, CallTurn)
    return turn


async def throttled_line(line: Line) -> None:
    """Have it go by a pace from now on."""
    (await turn_of(line)).ended(THROTTLED)


def test_the_first_calls_feel_their_way_and_more_follow_from_moment_to_moment():
    async def scenario(line: Line, _clock: Clock) -> None:
        calls = [asyncio.ensure_future(turn_of(line)) for _ in range(500)]
        in_flight: list[int] = []
        for _ in range(4):
            await asyncio.sleep(WIDENING_SECONDS)
            in_flight.append(sum(call.done() for call in calls))
        assert in_flight == pytest.approx([FIRST_WINDOW * e**each for each in (1, 2, 3, 4)], rel=0.2)
        for call in calls:
            call.cancel()

    with_a_line(scenario)


def test_whoever_was_throttled_goes_before_those_who_ask_for_the_first_time():
    async def scenario(line: Line, _clock: Clock) -> None:
        await throttled_line(line)
        order: list[str] = []

        async def go(name: str, *, again: bool) -> None:
            await turn_of(line, again=again)
            order.append(name)

        await asyncio.gather(go("first", again=False), go("second", again=False), go("once more", again=True))
        assert order == ["once more", "first", "second"]

    with_a_line(scenario)


def test_a_call_that_has_no_turn_in_time_is_not_made_and_the_next_one_is():
    async def scenario(line: Line, clock: Clock) -> None:
        await throttled_line(line)
        late, patient = await asyncio.gather(line.wait(0.0, again=False, within=0.1), turn_of(line))
        assert isinstance(late, ModelFailure)
        assert (late.code, late.is_the_providers) == ("throttled", True)
        assert late.message == "not asked: no turn within 0.1 s; the provider bears about 20.3 calls a second"
        assert isinstance(patient, CallTurn)

    with_a_line(scenario)


def test_a_turn_that_is_cut_off_in_the_moment_it_comes_is_the_next_ones():
    async def scenario(line: Line, _clock: Clock) -> None:
        held = [await turn_of(line) for _ in range(FIRST_WINDOW)]
        waiting = asyncio.ensure_future(turn_of(line))
        after = asyncio.ensure_future(turn_of(line))
        await asyncio.sleep(0.01)
        held[0].ended(None)  # makes room for the one that waits
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait_for(after, 1)

    with_a_line(scenario)


def test_the_first_throttle_paces_all_that_follow_and_is_said_once(logs: list[dict[str, object]]):
    async def scenario(line: Line, clock: Clock) -> None:
        for turn in [await turn_of(line) for _ in range(FIRST_WINDOW)]:
            turn.ended(THROTTLED)
        began = clock()
        times = []
        for _ in range(5):
            await turn_of(line)
            times.append(clock() - began)
        assert times == pytest.approx([0.7, 0.75, 0.8, 0.85, 0.9], abs=0.01)
        assert line.rate == pytest.approx(20, rel=0.1)

    with_a_line(scenario)

    assert [log["event"] for log in logs] == ["the provider throttles; calls take turns from now on"]


def test_a_pace_that_was_not_needed_for_a_quarter_of_an_hour_is_forgotten():
    async def scenario(line: Line, _clock: Clock) -> None:
        await throttled_line(line)
        (await turn_of(line)).ended(REPLY)
        assert line.rate is not None
        await asyncio.sleep(901)
        (await turn_of(line)).ended(REPLY)
        assert line.rate is None
        assert line.at_once(0.0) is not None

    with_a_line(scenario)


def test_no_more_events_are_begun_while_calls_wait_for_longer_than_is_worth_it():
    async def scenario(line: Line, _clock: Clock) -> None:
        await throttled_line(line)
        assert line.has_room(coming=0)
        calls = [asyncio.ensure_future(turn_of(line)) for _ in range(30)]
        await asyncio.sleep(0)
        assert line.waiting >= LEAST_WAITING
        assert not line.has_room(coming=0)
        await asyncio.gather(*calls)
        assert line.has_room(coming=0)

    with_a_line(scenario)


def calls_in_any_minute(quotas: Quotas, minutes: int, tokens: Sequence[float], spent: int) -> list[tuple[float, int]]:
    """Return when each call went that a line gave a turn, and what it spent, if there are always more."""
    went: list[tuple[float, int]] = []

    async def scenario(line: Line, clock: Clock) -> None:
        async def call(needs: float) -> None:
            turn = await turn_of(line, needs)
            went.append((clock(), spent))
            await asyncio.sleep(0.5)
            turn.ended(ModelReply({}, Usage(1, spent, 0)))

        began = clock()
        number = 0
        running: set[asyncio.Task[None]] = set()
        while clock() - began < minutes * MINUTE:
            while len(running) < 20:
                running.add(asyncio.ensure_future(call(tokens[number % len(tokens)])))
                number += 1
            _, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for each in running:
            each.cancel()

    with_a_line(scenario, quotas)
    return went


def most_in_a_minute(went: Sequence[tuple[float, int]], amount: Callable[[int], int]) -> int:
    return max(sum(amount(spent) for at, spent in went if begin <= at < begin + MINUTE) for begin, _ in went)


def test_a_quota_of_calls_is_used_and_never_passed_in_any_minute():
    went = calls_in_any_minute(Quotas(calls_per_minute=600), 4, [0.0], 0)

    assert most_in_a_minute(went, lambda _spent: 1) <= 600
    assert len(went) > 0.9 * 4 * 600


def test_of_a_quota_of_tokens_what_calls_were_allowed_and_did_not_use_is_given_back():
    went = calls_in_any_minute(Quotas(tokens_per_minute=120_000), 4, [1_500.0], spent=500)

    assert most_in_a_minute(went, lambda spent: spent) <= 120_000
    assert sum(spent for _, spent in went) > 0.85 * 4 * 120_000


def test_what_a_provider_bears_that_answers_again_is_found_out_anew():
    async def scenario(line: Line, _clock: Clock) -> None:
        await throttled_line(line)
        await asyncio.sleep(12)
        for _ in range(15):
            (await turn_of(line, again=True)).ended(THROTTLED)
        slow = line.rate
        line.recovered()
        await turn_of(line)
        assert slow is not None
        assert slow < 5
        assert line.rate == pytest.approx(20, rel=0.1)

    with_a_line(scenario)


def test_whoever_leaves_the_line_makes_room_and_that_is_told():
    told: list[bool] = []

    async def run(clock: Clock) -> None:
        line = Line(
            PacesInMemory(Quotas(calls_per_minute=1), clock),
            MODEL,
            clock,
            lambda _seconds: None,
            lambda: told.append(line.has_room(coming=0)),
        )
        calls = [asyncio.ensure_future(line.wait(0.0, again=False, within=5)) for _ in range(LEAST_WAITING + 2)]
        await asyncio.sleep(1)
        assert not line.has_room(coming=0)
        await asyncio.gather(*calls)
        assert line.waiting == 0
        assert told[-1]

    in_virtual_time(run)


def test_of_tokens_a_call_that_was_cut_off_keeps_what_was_booked_and_one_that_was_not_made_does_not():
    booked: list[float] = []

    class Bookkeeper(PacesInMemory):
        async def take(self, model: str, tokens: Sequence[float], spent_beyond: float) -> Grant | None:
            booked.append(spent_beyond)
            return await super().take(model, tokens, spent_beyond)

    async def run(clock: Clock) -> None:
        line = Line(Bookkeeper(Quotas(tokens_per_minute=10_000), clock), MODEL, clock, lambda _: None, lambda: None)
        (await turn_of(line, 100.0)).ended(None)
        (await turn_of(line, 200.0)).unused()
        (await turn_of(line, 300.0)).ended(ModelReply({}, Usage(1, 250, 10)))
        await turn_of(line, 400.0)

    in_virtual_time(run)
    assert booked == [0.0, 0.0, -200.0, -40.0]


def test_without_redis_calls_go_on_at_a_provider_that_does_not_throttle():
    class Away(PacesInMemory):
        here = asyncio.Event()

        async def take(self, model: str, tokens: Sequence[float], spent_beyond: float) -> Grant | None:
            await self.here.wait()
            return await super().take(model, tokens, spent_beyond)

    async def run(clock: Clock) -> None:
        keeper = Away(NO_QUOTAS, clock)
        keeper.here.set()
        line = Line(keeper, MODEL, clock, lambda _: None, lambda: None)
        (await turn_of(line)).ended(REPLY)
        keeper.here.clear()
        await asyncio.sleep(2)  # so that it is time to look again
        await asyncio.wait_for(asyncio.gather(*(turn_of(line) for _ in range(FIRST_WINDOW + 4))), 5)

    in_virtual_time(run)


class BrokenKeeper:
    async def take(self, model: str, tokens: Sequence[float], spent_beyond: float) -> Grant | None:
        raise ZeroDivisionError(model)

    async def throttled(self, model: str, given_rate: float | None, taken: float) -> None: ...

    async def recovered(self, model: str) -> None: ...


def test_a_bug_of_whoever_keeps_the_pace_is_told_to_all_who_wait():
    async def scenario(line: Line, _clock: Clock) -> None:
        told = await asyncio.gather(*(turn_of(line) for _ in range(3)), return_exceptions=True)
        assert [type(each) for each in told] == [ZeroDivisionError] * 3

    with_a_line(scenario, keeper=BrokenKeeper())
