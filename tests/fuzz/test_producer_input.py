"""Whatever the producer is given: an exit code and lines for people, never a traceback."""

import random
from typing import Any

import pytest
from tests.command_line import Finished, run
from tests.events import EVENTS
from tests.fuzz.amount import SEED, amount, generators
from tests.fuzz.entries import an_entry

from eval_worker.settings import Settings

TEXTS = 200
FILES = 40
LINES = 50


def a_payload(rng: random.Random) -> bytes:
    fields, _ = an_entry(rng)
    return fields[0][1]


def expect_words(done: Finished, why: str) -> None:
    """What went wrong is said in lines of ours."""
    assert done.code in {0, 1, 2}, why
    assert done.code == 0 or done.err, why
    assert all(line.startswith("eval-producer: ") for line in done.err.splitlines()), f"{why}: {done.err}"


@pytest.mark.parametrize("number", range(amount(TEXTS)))
def test_one_event_is_sent_or_refused_in_a_line(settings: Settings, redis_client: Any, number: int):
    payload = a_payload(random.Random(f"{SEED}/{number}")).replace(b"\x00", b"")  # no argument can hold one
    done = run("eval_producer", "-d", payload, settings=settings)

    expect_words(done, f"FUZZ_SEED={SEED} {payload!r:.500}")
    assert redis_client.xlen(EVENTS) == len(done.lines) == (done.code == 0)
    assert len(done.err.splitlines()) == (done.code != 0)


def test_a_file_of_anything_sends_its_good_lines_and_names_the_others(settings: Settings, redis_client: Any):
    for name, rng in generators(FILES):
        lines = [a_payload(rng) for _ in range(LINES)]
        content = rng.choice((b"\n", b"\r\n", b"\n\n", b"\n\xef\xbb\xbf")).join(lines)
        before = redis_client.xlen(EVENTS)
        done = run("eval_producer", "-f", "-", settings=settings, stdin=content)
        expect_words(done, name)
        assert redis_client.xlen(EVENTS) - before == len(done.lines), name
        given = sum(bool(line.strip()) for line in content.split(b"\n"))
        assert len(done.lines) + done.err.count(": line ") == given, name
