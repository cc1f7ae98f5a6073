"""One call warms the prompt cache; the others wait for it, but not for ever."""

import asyncio

import pytest

from eval_worker.evaluation.judges.model import Usage
from eval_worker.models.prompt_cache import KEPT_SECONDS, MOST_PREFIXES, Prefix, PromptCache

WROTE = Usage(1, 2_000, 10, cache_write_input_tokens=1_500)
READ = Usage(1, 2_000, 10, cache_read_input_tokens=1_500)
NEITHER = Usage(1, 2_000, 10)
RULES = "be fair, " * 1_000  # 9,000 characters, so some 2,250 tokens


class Calls:
    """Calls of one prefix; each ends when it is told to. `began` has the numbers of those that went out."""

    def __init__(self, floor: int | None = 1_000, *, longest_wait: float = 60) -> None:
        self.now = 0.0
        self.cache = PromptCache(lambda _model_id: floor, lambda: self.now, longest_wait_seconds=longest_wait)
        self.began: list[int] = []
        self._ends: dict[int, asyncio.Future[Usage]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def prefix(self) -> Prefix | None:
        return self.cache.prefix("m", RULES, lambda: 0)

    async def start(self, *numbers: int) -> None:
        for number in numbers:
            self._ends[number] = asyncio.get_running_loop().create_future()
            self._tasks.append(asyncio.create_task(self._call(number)))
        await _settle()

    async def end(self, number: int, usage: Usage) -> None:
        self._ends[number].set_result(usage)
        await _settle()

    async def cut_off(self, position: int) -> None:
        self._tasks[position].cancel()
        await _settle()

    async def _call(self, number: int) -> None:
        assert self.prefix is not None
        async with self.cache.turn(self.prefix) as report:
            self.began.append(number)
            report(await self._ends[number])


async def _settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_the_first_call_goes_alone_and_the_others_once_it_is_answered():
    async def scenario() -> None:
        calls = Calls()
        await calls.start(1, 2, 3)
        assert calls.began == [1]
        await calls.end(1, WROTE)
        assert calls.began == [1, 2, 3]
        await calls.start(4, 5)
        assert calls.began == [1, 2, 3, 4, 5]

    asyncio.run(scenario())


@pytest.mark.parametrize(("later", "together"), [(KEPT_SECONDS - 1, [1, 2, 3]), (KEPT_SECONDS, [1, 2])])
def test_it_is_warmed_again_once_the_provider_has_dropped_it(later: float, together: list[int]):
    async def scenario() -> None:
        calls = Calls()
        await calls.start(1)
        await calls.end(1, WROTE)
        calls.now += later
        await calls.start(2, 3)
        assert calls.began == together

    asyncio.run(scenario())


def test_each_use_keeps_it_for_longer():
    async def scenario() -> None:
        calls = Calls()
        for number, usage in enumerate((WROTE, READ, READ)):
            await calls.start(number)
            await calls.end(number, usage)
            calls.now += KEPT_SECONDS * 0.8
        await calls.start(8, 9)
        assert calls.began[-2:] == [8, 9]

    asyncio.run(scenario())


@pytest.mark.parametrize("usage", [Usage(), NEITHER])
def test_a_first_call_that_failed_holds_nobody_up(usage: Usage):
    async def scenario() -> None:
        calls = Calls()
        await calls.start(1, 2, 3)
        await calls.end(1, usage)
        assert calls.began == [1, 2, 3]

    asyncio.run(scenario())


def test_a_first_call_that_is_cut_off_holds_nobody_up():
    async def scenario() -> None:
        calls = Calls()
        await calls.start(1, 2, 3)
        await calls.cut_off(0)
        assert calls.began == [1, 2, 3]

    asyncio.run(scenario())


def test_nobody_waits_longer_than_so_long():
    async def scenario() -> None:
        calls = Calls(longest_wait=0)
        await calls.start(1, 2)
        assert calls.began == [1, 2]

    asyncio.run(scenario())


def test_where_the_provider_neither_writes_nor_reads_nobody_waits_again():
    async def scenario() -> None:
        calls = Calls()
        await calls.start(1)
        await calls.end(1, NEITHER)
        await calls.start(2, 3)
        assert calls.began == [1, 2, 3]

    asyncio.run(scenario())


@pytest.mark.parametrize(("floor", "cached"), [(2_250, True), (2_251, False), (None, False)])
def test_a_prefix_below_the_models_floor_is_not_cached(floor: int | None, cached: bool):
    assert (Calls(floor).prefix is not None) is cached


def test_the_tools_are_part_of_the_prefix():
    cache = Calls(2_300).cache
    assert cache.prefix("m", RULES, lambda: 100) is not None


def test_prefixes_of_any_number_take_bounded_room():
    cache = Calls().cache
    for number in range(MOST_PREFIXES + 10):
        cache.prefix("m", f"{number}", lambda: 0)
    assert len(cache._prefixes) == MOST_PREFIXES
