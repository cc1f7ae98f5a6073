"""The benchmarks run, and what they say follows from what they saw."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from benchmarks.events import Payload, early_exit, judged
from benchmarks.figures import Figure, Samples, Target, in_turns
from benchmarks.measurements import MEASUREMENTS, WITH_CLUSTER, WITH_INSTALLATION
from benchmarks.page import begin, check_page, end, write_page
from benchmarks.report import cells
from tests.processes import ROOT

from eval_worker.event import Event, decode_event
from eval_worker.models.offline import OfflineModel
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import build_assessor, read_judges

LIMIT = 1 << 20


def test_the_drain_benchmark_runs_and_prints_its_ratios(tmp_path: Path):
    written = tmp_path / "figures.json"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-m", "benchmarks", "drain", "--quick", "--seconds", "0.5", "--json", str(written)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    figures = json.loads(written.read_text(encoding="utf-8"))["figures"]

    assert "early-exit events: " in done.stdout
    assert "; ratio " in done.stdout
    for figure in figures:
        assert figure["ratios"][0] > 0, figure  # what the ratio is, half a second of a busy machine does not tell
        assert figure["ours"]["values"][0] / figure["beside"]["values"][0] == figure["ratios"][0]


@pytest.mark.parametrize(("payload", "exits"), [(early_exit, True), (judged, False)])
def test_the_events_are_of_the_size_and_take_the_way_that_their_names_say(payload: Payload, exits: bool):
    settings = load_settings(judge_model="offline")
    assessor = build_assessor(settings, read_judges(settings), OfflineModel())
    for number in range(60):
        document = payload(number)
        event = decode_event(document, max_bytes=LIMIT)
        assert 600 < len(document) < 800
        assert isinstance(event, Event)
        assert (assessor.begin(event).done is not None) is exits, document


def test_measures_take_turns_so_that_a_busy_machine_meets_all_of_them():
    order = []
    rows = in_turns(3, [lambda: order.append("a") or 1.0, lambda: order.append("b") or 2.0])
    assert order == ["a", "b"] * 3
    assert rows == [(1.0, 1.0, 1.0), (2.0, 2.0, 2.0)]


def figure(ours: tuple[float, ...], beside: tuple[float, ...], target: Target | None = None) -> Figure:
    return Figure("drain", Samples("events", "events/s", ours), Samples("a loop", "events/s", beside), target)


def test_the_ratio_is_taken_turn_by_turn():
    one = figure((10.0, 40.0, 30.0), (100.0, 100.0, 50.0))
    assert one.ratios is not None
    assert one.ratios.values == (0.1, 0.4, 0.6)
    assert cells(one)[4] == "0.400 (0.100 to 0.600)"


@pytest.mark.parametrize(
    ("target", "reached"),
    [
        (Target.at_least_ratio(0.5), True),
        (Target.at_least_ratio(0.6), False),
        (Target.at_most(5.0), True),
        (Target.at_most(4.0), False),
        (Target.at_most_ratio(0.4), False),
        (None, None),
    ],
)
def test_a_target_is_held_against_the_median(target: Target | None, reached: bool | None):
    assert figure((5.0, 5.0, 1.0), (10.0, 10.0, 10.0), target).reached is reached


def test_nothing_is_divided_by_nothing():
    one = figure((1.0,), (0.0,), Target.at_least_ratio(0.5))
    assert one.ratios is None
    assert one.reached is None


def test_only_the_table_that_was_measured_is_replaced(tmp_path: Path):
    page = tmp_path / "page.md"
    other = f"{begin('idle')}\nkept\n{end('idle')}"
    page.write_text(f"before\n{begin('drain')}\nold\n{end('drain')}\nbetween\n{other}\nafter\n", encoding="utf-8")
    write_page(page, "drain", "new\n")
    drain = f"{begin('drain')}\n\nnew\n\n{end('drain')}"
    assert page.read_text(encoding="utf-8") == f"before\n{drain}\nbetween\n{other}\nafter\n"


def test_a_page_without_the_markers_is_refused_before_anything_is_measured(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(f"{begin('drain')}\n{end('drain')}\n", encoding="utf-8")
    with pytest.raises(click.UsageError, match=r"it needs the lines .*benchmarks idle: begin"):
        check_page(page, ["drain", "idle"])


def test_the_documentation_has_a_place_for_every_table():
    check_page(ROOT / "docs" / "performance.md", [*MEASUREMENTS, *WITH_INSTALLATION])
    check_page(ROOT / "docs" / "partitions.md", WITH_CLUSTER)
