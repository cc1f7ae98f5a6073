"""How results of threads reach an event loop."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from eval_worker.models.mailbox import Mailbox, settle


def test_the_loop_is_woken_once_for_all_that_waits_for_it() -> None:
    wakings: list[Callable[..., object]] = []

    async def post_from_another_thread() -> list[int]:
        loop = asyncio.get_running_loop()
        wake = loop.call_soon_threadsafe

        def counted(callback: Callable[..., object], *arguments: object) -> asyncio.Handle:
            wakings.append(callback)
            return wake(callback, *arguments)

        loop.call_soon_threadsafe = counted  # pyright: ignore[reportAttributeAccessIssue]  # a narrower signature
        mailbox = Mailbox(loop)
        futures: list[asyncio.Future[int]] = [loop.create_future() for _ in range(50)]
        for number, future in enumerate(futures):
            mailbox.post(settle(future, partial(future.set_result, number)))
        return await asyncio.gather(*futures)

    assert asyncio.run(post_from_another_thread()) == list(range(50))
    assert len(wakings) == 1


def test_what_comes_after_a_delivery_wakes_the_loop_again() -> None:
    async def post_twice() -> list[str]:
        mailbox = Mailbox(asyncio.get_running_loop())
        arrived: list[str] = []
        for text in ("first", "second"):
            future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            mailbox.post(settle(future, partial(future.set_result, text)))
            arrived.append(await asyncio.wait_for(future, 60))
        return arrived

    assert asyncio.run(post_twice()) == ["first", "second"]


def test_a_result_that_nobody_waits_for_any_more_is_dropped() -> None:
    async def give_up() -> int:
        loop = asyncio.get_running_loop()
        mailbox = Mailbox(loop)
        given_up: asyncio.Future[int] = loop.create_future()
        wanted: asyncio.Future[int] = loop.create_future()
        given_up.cancel()
        mailbox.post(settle(given_up, partial(given_up.set_result, 1)))
        mailbox.post(settle(wanted, partial(wanted.set_result, 2)))
        return await asyncio.wait_for(wanted, 60)

    assert asyncio.run(give_up()) == 2


def test_a_loop_that_is_closed_is_left_alone() -> None:
    loop = asyncio.new_event_loop()
    future: asyncio.Future[int] = loop.create_future()
    mailbox = Mailbox(loop)
    loop.close()

    mailbox.post(settle(future, partial(future.set_result, 1)))

    assert not future.done()


def test_a_letter_that_raises_keeps_no_other_from_its_loop() -> None:
    async def post_both() -> tuple[int, list[str]]:
        loop = asyncio.get_running_loop()
        told: list[str] = []
        loop.set_exception_handler(lambda _loop, context: told.append(repr(context["exception"])))
        mailbox = Mailbox(loop)
        wanted: asyncio.Future[int] = loop.create_future()
        mailbox.post(partial(int, "no number"))
        mailbox.post(settle(wanted, partial(wanted.set_result, 2)))
        return await asyncio.wait_for(wanted, 60), told

    result, told = asyncio.run(post_both())
    assert result == 2
    assert "no number" in told[0]


def test_a_future_that_can_not_hold_what_was_raised_holds_another_error() -> None:
    async def post() -> int:
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        Mailbox(asyncio.get_running_loop()).post(settle(future, partial(future.set_exception, StopIteration())))
        return await asyncio.wait_for(future, 60)

    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(post())


def test_whoever_posts_after_an_interrupted_one_wakes_the_loop() -> None:
    async def post_twice() -> int:
        loop = asyncio.get_running_loop()
        mailbox = Mailbox(loop)
        wake = loop.call_soon_threadsafe

        def interrupted(*_arguments: object) -> asyncio.Handle:
            loop.call_soon_threadsafe = wake
            raise KeyboardInterrupt

        loop.call_soon_threadsafe = interrupted  # pyright: ignore[reportAttributeAccessIssue]
        with pytest.raises(KeyboardInterrupt):
            mailbox.post(lambda: None)
        future: asyncio.Future[int] = loop.create_future()
        mailbox.post(settle(future, partial(future.set_result, 3)))
        return await asyncio.wait_for(future, 60)

    assert asyncio.run(post_twice()) == 3
