"""A frame of `top` fits its terminal, and holds no more than what is known."""

import re
from typing import Any

import pytest
from rich.console import Console
from tests.stored_results import make_result

from eval_worker.console.top import Frame, draw
from eval_worker.dashboard.facts import facts_of
from eval_worker.dashboard.figures import figures_of
from eval_worker.event import Agent
from eval_worker.result import UsageResult
from eval_worker.stream.backlog import Backlog, Consumer

NOW = 1_700_000_000_000
SKIPPED = {"verdict": "skipped", "confidence": None}
PROBLEM = "no Redis at localhost:6379 (connection refused): start one"
BACKLOG = Backlog(
    entries=23,
    pending=16,
    lag=7,
    oldest_pending_seconds=95,
    consumers=(Consumer("a", 9, 1.0), Consumer("b", 7, 2.0)),
    other_groups=(),
    results=9,
    dead_letters=4,
    group_exists=True,
)


def frame(*changes: dict[str, Any], **more: Any) -> Frame:
    facts = [facts_of(f"{NOW - 1_000 * number}-0", make_result(**change)) for number, change in enumerate(changes)]
    known: dict[str, Any] = {
        "title": "eval-results at localhost:6379",
        "clock": "12:00:00",
        "figures": figures_of(facts[::-1], NOW),
        "looked_at": len(facts),
        "entries": len(facts),
        "backlog": BACKLOG,
        "problem": None,
        "loading": False,
        "live": True,
    }
    return Frame(**{**known, **more})


def lines(shown: Frame, width: int = 80, height: int = 24) -> list[str]:
    console = Console(width=width, height=height, markup=False, emoji=False, highlight=False, color_system=None)
    with console.capture() as captured:
        console.print(draw(shown, width=width, height=height))
    return captured.get().rstrip("\n").split("\n")


def test_it_says_how_many_how_good_what_it_cost_and_what_waits():
    paid = UsageResult(llm_calls=5, cost_usd=0.002)
    bot = Agent(name="bot", version="1.0")
    shown = "\n".join(
        lines(
            frame(
                {"verdict": "pass", "confidence": 0.9, "agent": bot, "usage": paid},
                {"verdict": "fail", "confidence": 0.1, "agent": bot, "usage": paid, "early_exit": True},
            )
        )
    )

    assert "results 2 (2 in the last minute)   confidence 0.50" in shown
    assert "early exits 50.0%   partial 0.0%   cost $0.00 ($2.00 for 1,000)" in shown
    assert "waiting 7   pending 16 (oldest 1m 35s)   workers 2   dead letters 4" in shown
    assert "█ pass 50.0%  ▓ review 0.0%  ▒ fail 50.0%" in shown
    assert re.search(r"bot +1\.0 +2  ████████▒▒▒▒▒▒▒▒ +50\.0% +0\.50", shown)
    assert re.search(r"faithfulness-judge +0\.20  ━━━━─+ +-", shown)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (140, 40), (100, 30), (60, 12), (200, 60), (40, 30)])
@pytest.mark.parametrize("problem", [None, PROBLEM])
def test_it_fits_whatever_the_terminal(width: int, height: int, problem: str | None):
    many = [
        {"agent": Agent(name=f"agent-{'x' * 50}-{number}", version="版" * 40), "confidence": 0.5}
        for number in range(30)
    ]

    shown = lines(frame(*many, problem=problem), width, height)

    assert len(shown) <= height
    assert max(len(line) for line in shown) <= width


@pytest.mark.parametrize("width", [40, 50, 60, 80, 95, 100, 120, 140])
def test_names_give_way_to_figures_which_are_never_cut(width: int):
    agent = Agent(name="customer-support-bot-of-the-north", version="2.4.0-rc1+build.20260131")
    usage = UsageResult(llm_calls=1, cost_usd=1e200)

    shown = "\n".join(lines(frame(*[{"agent": agent, "confidence": 0.5, "usage": usage}] * 9), width, 30))

    for heading in ("results", "passed", "conf.", "mean", "unscored"):
        assert heading in shown
    assert re.search(r"^cus.*… +2.*… +9 .*100.0% +0.50", shown, re.MULTILINE)
    for words in (
        "(9 in the last minute)",
        "confidence 0.50",
        "partial 0.0%",
        "cost $9.0e+200",
        "dead letters 4",
        "fail 0.0%",
    ):
        assert words in shown


def test_what_no_judge_saw_is_no_base_of_the_partial_results_but_had_its_chance_to_exit():
    shown = "\n".join(lines(frame({"partial": True}, {"verdict": "fail", "early_exit": True}, *[SKIPPED] * 2)))

    assert "early exits 25.0%   partial 50.0%" in shown


def test_names_cant_steer_the_terminal():
    hostile = "\x1b[2J\x07\u202eevil\n\x9b1m"
    shown = "\n".join(lines(frame({"agent": Agent(name=hostile, version=hostile)}, title=hostile, problem=hostile)))

    assert not set("\x1b\x07\u202e\x9b") & set(shown)
    assert "evil" in shown


def test_what_is_not_known_is_said_to_be_unknown():
    lost = {"usage": UsageResult(llm_calls=1)}

    assert "cost unknown" in "\n".join(lines(frame(lost)))
    assert "the streams were not read yet" in "\n".join(lines(frame(lost, backlog=None)))
    assert "results 1 of 900 " in "\n".join(lines(frame(lost, entries=900)))


def test_without_results_it_says_what_to_do():
    assert "no results yet: eval-worker run, then eval-producer" in "\n".join(lines(frame()))
    assert "reading results…" in "\n".join(lines(frame(loading=True)))


def test_a_redis_that_is_gone_is_said_above_what_is_from_before():
    shown = "\n".join(lines(frame({}, problem=PROBLEM), width=120))

    assert f"{PROBLEM}; what is shown is from before" in shown
    assert "results 1 " in shown
