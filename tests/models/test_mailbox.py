"""How results of threads reach an event loop."""

import asyncio
from collections.abc import Callable
from functools import partial

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
