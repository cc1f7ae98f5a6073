"""Calls side by side, given up, and left behind: real threads on real connections."""

import asyncio
import subprocess
import sys
import threading
import time

import pytest
from tests.models.bedrock.calls import OpenModel, judged, request

from eval_worker.evaluation.judges.model import Judgement, ModelFailure, ModelReply
from eval_worker.testing import (
    FakeBedrock,
    Outcome,
    Trickle,
    judge,
)


def test_a_hundred_calls_overlap_on_connections_that_are_kept(
    bedrock: FakeBedrock, open_model: OpenModel, caplog: pytest.LogCaptureFixture
) -> None:
    model = open_model(max_calls_in_flight=100)

    async def ask_all() -> list[ModelReply | ModelFailure]:
        return await asyncio.gather(*(model.ask(request()) for _ in range(100)))

    def most_in_flight(seconds: float) -> int:
        bedrock.calm()
        bedrock.latency(seconds)
        assert all(isinstance(judged(answer), Judgement) for answer in asyncio.run(ask_all()))
        return bedrock.counters().most_in_flight

    # In asyncio's default threads they are a few. A slow machine begins them all only where they take long.
    assert any(most_in_flight(seconds) > 50 for seconds in (1, 5, 25))
    assert "discarding connection" not in caplog.text  # urllib3's complaint about a pool smaller than the threads


def test_no_more_calls_are_in_flight_than_allowed(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.latency(0.02)
    model = open_model(max_calls_in_flight=3)

    async def ask_all() -> None:
        await asyncio.gather(*(model.ask(request()) for _ in range(12)))

    asyncio.run(ask_all())

    assert bedrock.counters().calls == 12
    assert bedrock.counters().most_in_flight == 3


@pytest.mark.parametrize("slow", [Trickle(pause=0.5), None], ids=["trickle", "silence"])
def test_a_cancelled_call_does_not_hold_its_caller(
    bedrock: FakeBedrock, open_model: OpenModel, slow: Outcome | None
) -> None:
    if slow:
        bedrock.script(slow)
    else:
        bedrock.latency(600)
    model = open_model(timeout_seconds=600)

    async def give_up() -> None:
        call = asyncio.create_task(model.ask(request()))
        await asyncio.to_thread(bedrock.wait_until, lambda seen: seen.in_flight == 1, 60)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    started = time.monotonic()
    asyncio.run(give_up())
    model.close()
    assert time.monotonic() - started < 60


def test_a_closed_model_cancels_what_has_not_begun(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.latency(600, when=judge("coherence"))
    model = open_model(max_calls_in_flight=1)

    async def close_early() -> None:
        under_way = asyncio.create_task(model.ask(request("coherence")))
        await asyncio.to_thread(bedrock.wait_until, lambda seen: seen.in_flight == 1, 60)
        waiting = asyncio.create_task(model.ask(request("relevance")))
        await asyncio.sleep(0)
        model.close()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        under_way.cancel()

    asyncio.run(close_early())

    assert bedrock.counters().by_judge == {"coherence": 1}


_ASKS_AND_LEAVES = """
import asyncio, sys
sys.path[:0] = {path!r}
from eval_worker.models.bedrock.model import BedrockModel
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.request import JudgeRequest
judge = JudgeDefinition(name="slow", question="?", levels={{level: "x" for level in range(6)}})
model = BedrockModel(model_id="m", region="us-east-1", timeout_seconds=300)
async def main():
    asking = asyncio.create_task(model.ask(JudgeRequest(judge, Interaction("q", "a"))))
    await asyncio.to_thread(sys.stdin.readline)
    asking.cancel()
    print("left")
asyncio.run(main())
model.close()
"""


def test_the_end_of_the_process_does_not_wait_for_a_call(bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch) -> None:
    bedrock.latency(300)
    for name, value in bedrock.environment().items():
        monkeypatch.setenv(name, value)

    program = _ASKS_AND_LEAVES.format(path=[entry for entry in sys.path if entry])
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        bedrock.wait_until(lambda seen: seen.in_flight == 1, 60)
        said = child.communicate("leave\n", timeout=60)

    assert (child.returncode, *said) == (0, "left\n", "")
    assert bedrock.counters().calls == 1


_FORKS = """
import asyncio, os, sys
sys.path[:0] = {path!r}
from eval_worker.models.bedrock.model import BedrockModel
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.request import JudgeRequest
def ask(name):
    judge = JudgeDefinition(name=name, question="?", levels={{level: "x" for level in range(6)}})
    return model.ask(JudgeRequest(judge, Interaction("q", "a")))
def said(name):
    return type(asyncio.run(asyncio.wait_for(ask(name), 60))).__name__
model = BedrockModel(model_id="m", region="us-east-1", timeout_seconds=300, max_calls_in_flight=2)
async def fork_while_one_is_under_way():
    slow = [asyncio.create_task(ask("slow")) for _ in range(2)]
    await asyncio.to_thread(sys.stdin.readline)
    if child := os.fork():
        os.waitpid(child, 0)
    else:
        asyncio.events._set_running_loop(None)
        print("child", said("relevance"), flush=True)
        model.close()
        os._exit(0)
    for each in slow:
        each.cancel()
print("parent", said("relevance"), flush=True)
asyncio.run(fork_while_one_is_under_way())
print("parent", said("relevance"), flush=True)
"""


def test_a_process_that_is_forked_off_has_calls_and_connections_of_its_own(
    bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch
) -> None:
    bedrock.latency(300, when=judge("slow"))
    for name, value in bedrock.environment().items():
        monkeypatch.setenv(name, value)

    program = _FORKS.format(path=[entry for entry in sys.path if entry])
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as parent:  # fmt: skip
        bedrock.wait_until(lambda seen: seen.in_flight == 2, 60)
        said = parent.communicate("fork\n", timeout=120)

    assert said == ("parent ModelReply\nchild ModelReply\nparent ModelReply\n", "")


def test_calls_that_warm_the_prompt_cache_may_come_from_several_loops(
    bedrock: FakeBedrock, open_model: OpenModel
) -> None:
    bedrock.latency(0.2)
    model = open_model(cache_floor=lambda _model_id: 1, max_calls_in_flight=20)
    answers: list[ModelReply | ModelFailure] = []

    async def ask_thrice() -> None:
        answers.extend(await asyncio.gather(*(model.ask(request()) for _ in range(3))))

    threads = [threading.Thread(target=lambda: asyncio.run(ask_thrice())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert [type(answer) for answer in answers] == [ModelReply] * 12
