"""The tables that people see: of whatever width, no figure is cut."""

import io
from typing import Any

import pytest
from rich.console import Console

from eval_worker.quality.table import print_figures

EXITS = {"good": {"answers": 3, "exited": 1, "share": 1 / 3}, "bad": {"answers": 0, "exited": 0, "share": None}}
USAGE = {"llm_calls": 15, "input_tokens": 4_000, "output_tokens": 300, "cost_usd": None}


def baseline(value: float, finding: str) -> dict[str, Any]:
    return {"value": value, "finding": finding}


MEASURE = {
    "n": 1_234,
    "value": 0.416,
    "interval": [0.3, 0.5],
    "baselines": {"length": baseline(0.2, "above"), "rouge_l": baseline(0.71, "below")},
}
DOCUMENT: dict[str, Any] = {
    "data_sets": [
        {
            "name": "letters",
            "records": 3,
            "left_out": {"unlabelled": 2, "one_sided_pairs": 0, "without_verdict": 0},
            "judges": [
                {
                    "judge": "relevance",
                    "records": None,
                    "pairs": {"ties": 31},
                    "calibration": None,
                    "measures": {"pair_accuracy": MEASURE},
                }
            ],
            "early_exits": EXITS,
            "latency_ms": {"p50": 812.5, "p95": None},
            "usage": USAGE,
        }
    ],
    "early_exits": EXITS,
    "usage": USAGE,
    "against_baselines": {"rouge_l": {"above": 0, "not told apart": 0, "below": 1}},
    "unlabelled_judges": ["coherence"],
    "unknown_judges": {},
    "judged_by": [{"model": "m", "judges_digest": "sha256:0", "records": 3}],
    "resamples": 2_000,
    "seed": 0,
}


def shown(width: int) -> str:
    file = io.StringIO()
    print_figures(Console(file=file, width=width, force_terminal=True, color_system=None), DOCUMENT)
    return file.getvalue()


@pytest.mark.parametrize("width", [80, 200])
def test_every_figure_is_there_whole(width: int):
    text = shown(width)

    for figure in ("1,234", ".42", ".30 to .50", "812.5", "pairs, 31"):
        assert figure in text
    assert ".71↓" in text
    assert "letters: left out: 2 unlabelled" in text
    assert "nobody labelled answers for the judge 'coherence'" in text
    assert "…" not in text


def test_where_there_is_no_room_the_strongest_baseline_stands_for_all():
    narrow, wide = shown(80), shown(200)

    assert "strongest" in narrow
    assert ".20" not in narrow
    assert "strongest" not in wide
    assert ".20↑" in wide


def test_a_cost_that_is_not_known_is_no_number():
    assert "15      -" in shown(200)
