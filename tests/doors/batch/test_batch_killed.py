"""A batch that is killed or stopped goes on: no line is judged twice, none is missing."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.doors.batch.events_file import finish, line_of, mixed_lines, records_in, start_batch, write_lines
from tests.events import CONTEXT, event
from tests.processes import environment_for
from tests.waiting import eventually_sync

from eval_worker.testing import ContentFiltered, FakeBedrock, Throttle, text

LINES = int(os.environ.get("BATCH_TEST_LINES", "2000"))
KILLS = int(os.environ.get("BATCH_TEST_KILLS", "2"))

OUTPUT, REJECTED = Path("out.jsonl"), Path("out.jsonl.rejected.jsonl")
FILES = ("--input", "in.jsonl", "--output", "out.jsonl")


def about(number: int) -> dict[str, Any]:
    """An event about a text of its own, since one that was judged is not judged again."""
    return event(f"e-{number}", context=f"{CONTEXT} This is said in book {number}.")


def lines_done() -> int:
    return sum(path.read_bytes().count(b"\n") for path in (OUTPUT, REJECTED) if path.exists())


def numbers_in(path: Path) -> list[int]:
    return [record["line"] for record in records_in(path)]


@pytest.mark.parametrize("order", [[], ["--as-completed"]])
def test_after_kills_each_good_line_has_one_result_and_each_bad_one_one_reason(order: list[str]):
    lines = mixed_lines(LINES, judged_share=0.05)
    write_lines(Path("in.jsonl"), lines)
    environment = environment_for(None)

    for kill in range(1, KILLS + 1):
        killed = start_batch(environment, *FILES, *order, "--resume")
        eventually_sync(lambda: lines_done() >= LINES * kill // (KILLS + 1))  # noqa: B023
        killed.send_signal(signal.SIGKILL)
        assert finish(killed)[0] == -signal.SIGKILL
    code, said = finish(start_batch(environment, *FILES, *order, "--resume"))

    assert code == 0, said
    bad = [number for number in range(1, LINES + 1) if (number - 1) % 100 == 37]
    good = [number for number in range(1, LINES + 1) if (number - 1) % 100 != 37]
    assert sorted(numbers_in(REJECTED)) == bad
    assert sorted(numbers_in(OUTPUT)) == good
    assert order or numbers_in(OUTPUT) == good
    assert all(record["id"] == f"e-{(record['line'] - 1) % 50}" for record in records_in(OUTPUT))


def test_a_kill_loses_no_answer_but_those_under_way(bedrock: FakeBedrock):
    count, workers = 60, 4
    write_lines(Path("in.jsonl"), [line_of(about(number)) for number in range(count)])
    bedrock.latency(0.02)
    bedrock.latency(1.5, times=1)  # the first event holds up the others' turn
    environment = environment_for(None, bedrock)

    killed = start_batch(environment, *FILES, "--workers", str(workers))
    eventually_sync(lambda: bedrock.counters().calls >= 5 * count // 3)
    killed.kill()
    finish(killed)
    code, said = finish(start_batch(environment, *FILES, "--workers", str(workers), "--resume"))

    assert code == 0, said
    assert numbers_in(OUTPUT) == list(range(1, count + 1))
    assert bedrock.counters().calls <= 5 * (count + workers + 1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_finishes_what_is_being_judged_and_says_how_to_go_on(bedrock: FakeBedrock, number: signal.Signals):
    count = 60
    write_lines(Path("in.jsonl"), [line_of(about(each)) for each in range(count)])
    bedrock.latency(2)  # long enough for the signal to come meanwhile
    bedrock.latency(0.05, times=10)
    environment = environment_for(None, bedrock)

    stopped = start_batch(environment, *FILES, "--summary", "s.json")
    eventually_sync(lambda: lines_done() >= 2)
    stopped.send_signal(number)
    code, said = finish(stopped)

    assert code == 128 + number
    assert said.splitlines()[-1].startswith(f"stopped by {number.name} after ")
    assert said.splitlines()[-1].endswith("lines: --resume goes on with it")
    calls = bedrock.counters().calls
    assert calls < 5 * count
    bedrock.calm()
    assert finish(start_batch(environment, *FILES, "--resume"))[0] == 0
    assert numbers_in(OUTPUT) == list(range(1, count + 1))
    assert bedrock.counters().calls == 5 * count


def test_a_throttled_model_is_waited_for_and_no_verdict_is_made_up(bedrock: FakeBedrock):
    count = 10
    write_lines(Path("in.jsonl"), [line_of(about(number)) for number in range(count)])
    bedrock.script(Throttle(), seconds=1)

    code, said = finish(start_batch(environment_for(None, bedrock), *FILES))

    assert code == 0, said
    assert {(record["verdict"], record["partial"]) for record in records_in(OUTPUT)} == {("pass", False)}
    assert numbers_in(OUTPUT) == list(range(1, count + 1))


def test_a_model_that_every_judge_of_an_event_is_refused_by_rejects_that_event_alone(bedrock: FakeBedrock):
    write_lines(Path("in.jsonl"), [line_of(event("e-1")), line_of(event("e-2", answer="Paris is poison, I think."))])
    bedrock.script(ContentFiltered(), when=text("poison"))

    code, said = finish(start_batch(environment_for(None, bedrock), *FILES))

    assert code == 0, said
    assert numbers_in(OUTPUT) == [1]
    (rejected,) = records_in(REJECTED)
    assert rejected["line"] == 2
    assert rejected["field"] is None
    assert rejected["reason"].startswith("every judge failed: ")


def test_a_slow_pipe_is_judged_as_it_comes_and_ctrl_c_is_heard():
    process = start_batch(environment_for(None), "--input", "-", "--output", "-", stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line_of(event()) + b"\n")
    process.stdin.flush()

    assert json.loads(process.stdout.readline())["line"] == 1
    process.send_signal(signal.SIGINT)
    process.wait(60)
    assert finish(process)[0] == 130
