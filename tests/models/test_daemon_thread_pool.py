"""The threads that blocking calls run in."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait

import pytest
from tests.waiting import eventually_sync

from eval_worker.models.daemon_thread_pool import DaemonThreadPool

SECONDS = 60


@pytest.fixture
def pool() -> Iterator[DaemonThreadPool]:
    eventually_sync(lambda: threads() == 0)  # those of the last test end by themselves
    made = DaemonThreadPool(2, "test-pool")
    yield made
    made.close()


def threads() -> int:
    return sum(thread.name.startswith("test-pool") for thread in threading.enumerate())


def test_a_call_gives_its_result(pool: DaemonThreadPool) -> None:
    assert pool.submit(lambda: 6 * 7).result(SECONDS) == 42


def test_a_call_gives_its_exception(pool: DaemonThreadPool) -> None:
    def fail() -> None:
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        pool.submit(fail).result(SECONDS)


def test_calls_run_side_by_side_up_to_the_size(pool: DaemonThreadPool) -> None:
    meet = threading.Barrier(2)

    done: list[Future[int]] = [pool.submit(lambda: meet.wait(SECONDS)) for _ in range(6)]

    assert sorted(future.result(SECONDS) for future in done) == [0, 0, 0, 1, 1, 1]
    assert threads() == 2


def test_no_thread_is_started_while_one_is_free(pool: DaemonThreadPool) -> None:
    pool.submit(lambda: None).result(SECONDS)
    name = threading.current_thread
    seen = {pool.submit(lambda: name().name).result(SECONDS) for _ in range(3)}

    assert len(seen) <= 2
    assert threads() <= 2


def test_threads_are_daemons(pool: DaemonThreadPool) -> None:
    assert pool.submit(lambda: threading.current_thread().daemon).result(SECONDS)


def test_a_cancelled_call_is_skipped(pool: DaemonThreadPool) -> None:
    go_on = threading.Event()
    busy = [pool.submit(lambda: go_on.wait(SECONDS)) for _ in range(2)]
    cancelled = pool.submit(lambda: pytest.fail("it ran"))

    assert cancelled.cancel()
    go_on.set()
    wait(busy, SECONDS)
    assert pool.submit(lambda: "next").result(SECONDS) == "next"


def test_closing_cancels_what_has_not_begun_and_ends_the_threads(pool: DaemonThreadPool) -> None:
    begun, go_on = threading.Barrier(3), threading.Event()

    def work() -> str:
        begun.wait(SECONDS)
        go_on.wait(SECONDS)
        return "finished"

    busy = [pool.submit(work) for _ in range(2)]
    begun.wait(SECONDS)
    waiting = pool.submit(work)
    ours = [thread for thread in threading.enumerate() if thread.name.startswith("test-pool")]

    pool.close()
    with pytest.raises(CancelledError):
        waiting.result(SECONDS)
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(work)
    go_on.set()
    assert [future.result(SECONDS) for future in busy] == ["finished"] * 2
    for thread in ours:
        thread.join(SECONDS)
    assert threads() == 0


def test_a_coroutine_gets_a_calls_result_and_its_exception(pool: DaemonThreadPool) -> None:
    def fail() -> None:
        raise ValueError("wrong")

    async def both() -> int:
        with pytest.raises(ValueError, match="wrong"):
            await pool.run(fail)
        return await pool.run(lambda: 6 * 7)

    assert asyncio.run(both()) == 42
    assert asyncio.run(both()) == 42  # in another loop


def test_a_coroutine_that_is_cancelled_leaves_its_call_unbegun(pool: DaemonThreadPool) -> None:
    go_on = threading.Event()

    async def give_up() -> str:
        busy = [pool.run(lambda: go_on.wait(SECONDS)) for _ in range(2)]
        given_up = pool.run(lambda: pytest.fail("it ran"))
        given_up.cancel()
        go_on.set()
        await asyncio.gather(*busy)
        return await pool.run(lambda: "next")

    assert asyncio.run(give_up()) == "next"


def test_closing_cancels_what_a_coroutine_waits_for(pool: DaemonThreadPool) -> None:
    go_on = threading.Event()

    async def close() -> None:
        busy = [pool.run(lambda: go_on.wait(SECONDS)) for _ in range(2)]
        waiting = pool.run(lambda: "never")
        pool.close()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        with pytest.raises(RuntimeError, match="closed"):
            pool.run(lambda: "never")
        go_on.set()
        assert await asyncio.gather(*busy) == [True, True]

    asyncio.run(close())


def test_a_call_outlives_the_loop_that_asked_for_it(pool: DaemonThreadPool) -> None:
    go_on = threading.Event()

    async def leave() -> None:
        pool.run(lambda: go_on.wait(SECONDS))

    asyncio.run(leave())
    go_on.set()

    assert pool.submit(lambda: "next").result(SECONDS) == "next"
    assert pool.submit(lambda: "and the other thread").result(SECONDS)


def test_calls_from_many_threads_are_all_answered() -> None:
    pool = DaemonThreadPool(4, "test-pool")

    async def ask(first: int) -> list[int]:
        return list(await asyncio.gather(*(pool.run(lambda n=n: n) for n in range(first, first + 200))))

    def asking(first: int) -> list[int]:
        return asyncio.run(ask(first))

    with ThreadPoolExecutor(4) as callers:
        answers = list(callers.map(asking, range(0, 800, 200)))
    pool.close()

    assert [number for answer in answers for number in answer] == list(range(800))


def test_a_system_without_threads_to_spare_is_asked_again_for_the_next_call(
    pool: DaemonThreadPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def no_more(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", no_more)
        for _ in range(3):
            with pytest.raises(RuntimeError, match="can't start"):
                pool.submit(lambda: ran.append("too late"))

    assert pool.submit(lambda: "next").result(SECONDS) == "next"
    assert ran == []
