"""The loop that all calls of providers are made in: nobody's mistake there may cost others their answers."""

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Coroutine
from functools import partial
from typing import Any

import pytest

from eval_worker.models.calls_loop import in_calls_loop

SECONDS = 60


async def answer(text: str) -> str:
    await asyncio.sleep(0)
    return text


async def fail_with(error: BaseException) -> str:
    await asyncio.sleep(0)
    raise error


def outcome_of(call: partial[Coroutine[Any, Any, str]]) -> str:
    async def awaited() -> str:
        return await asyncio.wait_for(in_calls_loop(call), SECONDS)

    return asyncio.run(awaited())


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), StopIteration(), ValueError("no")], ids=repr)
def test_whatever_a_call_raises_reaches_its_caller_and_ends_no_other(error: BaseException) -> None:
    with pytest.raises((RuntimeError, ValueError)):
        outcome_of(partial(fail_with, error))

    assert outcome_of(partial(answer, "next")) == "next"


def test_each_of_many_loops_gets_the_answers_to_its_own_calls() -> None:
    answers: dict[int, list[str]] = {}

    async def ask(number: int) -> list[str]:
        return await asyncio.gather(*(in_calls_loop(partial(answer, f"{number}.{place}")) for place in range(50)))

    def in_a_loop_of_its_own(number: int) -> None:
        answers[number] = asyncio.run(ask(number))

    threads = [threading.Thread(target=in_a_loop_of_its_own, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)

    assert answers == {number: [f"{number}.{place}" for place in range(50)] for number in range(4)}


def test_it_is_asyncios_own_whatever_loop_a_program_prefers() -> None:
    program = """
import asyncio
from functools import partial
from eval_worker.models.calls_loop import in_calls_loop

class Preferred(asyncio.SelectorEventLoop):
    def create_connection(self, *arguments, **options):
        raise TypeError("this loop has no such option")

class Policy(asyncio.DefaultEventLoopPolicy):
    _loop_factory = Preferred

asyncio.set_event_loop_policy(Policy())

async def which():
    return type(asyncio.get_running_loop())

async def main():
    assert await which() is Preferred
    assert not issubclass(await in_calls_loop(which), Preferred)

asyncio.run(main())
"""
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_connections_that_are_opened_together_look_a_name_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []
    go_on = threading.Event()
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))]

    def look_up(host: str, *_rest: object, **_kind: object) -> list[Any]:
        looked_up.append(host)
        assert go_on.wait(SECONDS)
        return found

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    async def connect_often() -> list[Any]:
        loop = asyncio.get_running_loop()
        look_ups = [asyncio.create_task(loop.getaddrinfo("bedrock.example", 443)) for _ in range(100)]
        await asyncio.sleep(0)
        look_ups[0].cancel()
        go_on.set()
        return await asyncio.gather(*look_ups, return_exceptions=True)

    async def awaited() -> list[Any]:
        return await in_calls_loop(connect_often)

    given_up, *others = asyncio.run(awaited())
    assert isinstance(given_up, asyncio.CancelledError)
    assert others == [found] * 99
    assert looked_up == ["bedrock.example"]
