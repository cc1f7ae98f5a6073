"""Tasks are ended even if they swallow a cancellation."""

import asyncio

from eval_worker.stream.cancellation import cancel_and_wait


def test_a_task_that_swallows_the_first_cancellation_is_ended_by_the_next():
    heard: list[str] = []

    async def hard_of_hearing() -> None:
        for word in ("what?", "oh, very well"):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                heard.append(word)
        raise asyncio.CancelledError

    async def scenario() -> None:
        task = asyncio.create_task(hard_of_hearing())
        await asyncio.sleep(0)
        await cancel_and_wait([task])
        assert task.cancelled()

    asyncio.run(asyncio.wait_for(scenario(), 60))
    assert heard == ["what?", "oh, very well"]


def test_what_an_ending_task_raises_is_dropped():
    async def failing() -> None:
        raise ZeroDivisionError

    async def scenario() -> None:
        await cancel_and_wait([asyncio.create_task(failing())])

    asyncio.run(scenario())
