"""Events are begun only as fast as their calls find turns."""

import asyncio

from tests.provider_limits.providers import THROTTLED, Clock
from tests.virtual_time import in_virtual_time

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.model import ModelFailure
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.provider_limits.pace import Quotas
from eval_worker.provider_limits.pace_keeper import PacesInMemory
from eval_worker.provider_limits.turns import COMING_SECONDS, ProviderTurns

JUDGES = 5
LEVELS = {level: f"level {level}" for level in range(6)}
REQUEST = JudgeRequest(
    JudgeDefinition(name="relevance", question="Is it relevant?", levels=LEVELS), Interaction("What?", "That.")
)


def test_calls_that_are_still_to_come_take_room_for_a_moment():
    told: list[bool] = []

    async def scenario(clock: Clock) -> None:
        turns = ProviderTurns(PacesInMemory(Quotas(), clock), "a-model", clock, calls_an_event=JUDGES)
        turns.when_room(lambda: told.append(turns.has_room()))
        begun = 0
        while turns.has_room():
            turns.begun()
            begun += 1
        assert begun == 2
        turns.over()  # one found all that it wanted in the cache
        assert turns.has_room()
        turns.begun()
        assert not turns.has_room()
        await asyncio.sleep(2 * COMING_SECONDS)  # the others wait for what another worker asks
        assert told[-1]

    in_virtual_time(scenario)


def test_whoever_can_begin_more_is_told_as_calls_have_their_turns():
    async def scenario(clock: Clock) -> None:
        turns = ProviderTurns(PacesInMemory(Quotas(), clock), "a-model", clock, calls_an_event=JUDGES)
        begun: list[asyncio.Task[None]] = []

        async def event() -> None:
            for _ in range(JUDGES):
                turn = await turns.take(REQUEST, again=False, within=60)
                assert not isinstance(turn, ModelFailure)
                turn.ended(THROTTLED if len(begun) < 3 else None)

        def begin() -> None:
            while len(begun) < 20 and turns.has_room():
                turns.begun()
                begun.append(asyncio.ensure_future(event()))

        turns.when_room(begin)
        begin()
        assert len(begun) == 2
        await asyncio.sleep(60)
        assert len(begun) == 20
        await asyncio.gather(*begun)

    in_virtual_time(scenario)
