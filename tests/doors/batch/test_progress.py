"""A person sees how far it is, how fast, how long the rest takes and what it cost."""

import pytest
from tests.command_line import run_on_terminal
from tests.doors.batch.events_file import mixed_lines, write_lines
from tests.doors.batch.test_tally import result

from eval_worker.doors.batch.progress import Pace, PlainProgress
from eval_worker.doors.batch.tally import Tally
from eval_worker.settings import load_settings


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("total", "before", "done", "cost", "says"),
    [
        (1000, 0, 200, None, "200 of 1,000 lines (20%), 20/s, 40s left"),
        (1000, 150, 200, 1.5, "200 of 1,000 lines (20%), 5.0/s, 2m 40s left, $1.50"),
        (None, 0, 200, 0.01, "200 lines, 20/s, $0.0100"),
        (1000, 0, 0, None, "0 of 1,000 lines (0%), 0.0/s"),
    ],
)
def test_progress_is_one_line(total: int | None, before: int, done: int, cost: float | None, says: str):
    clock = Clock()
    pace = Pace(clock, total, before)
    clock.now = 10
    assert pace.describe(done, cost) == says


def test_without_a_terminal_a_line_comes_now_and_then(capsys: pytest.CaptureFixture[str]):
    clock, tally = Clock(), Tally()
    progress = PlainProgress(Pace(clock, 100, 0), clock)
    for _ in range(25):
        clock.now += 1
        tally.add(result())
        progress.update(tally)

    assert capsys.readouterr().err.splitlines() == [
        "10 of 100 lines (10%), 1.0/s, 1m 30s left",
        "20 of 100 lines (20%), 1.0/s, 1m 20s left",
    ]


def test_on_a_terminal_there_is_a_bar():
    from pathlib import Path

    write_lines(Path("in.jsonl"), mixed_lines(300))
    arguments = ("--input", "in.jsonl", "--output", "out.jsonl", "--judge-model", "offline")

    finished = run_on_terminal("eval_worker", "batch", *arguments, settings=load_settings())

    assert finished.code == 0
    assert "300 lines: " in finished.out
    assert "/s" in finished.out
