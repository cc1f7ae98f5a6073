"""What became of the sample events, as a table that tells why."""

import json
from collections import Counter
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from eval_worker.console.terminal import LEFT_OUT, VERDICT_STYLES, printable
from eval_worker.weakest_stage import weakest_stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval_worker.demo import DemoOutcome
    from eval_worker.result import Result

NARROWEST = 100  # a pipe has no width of its own


def print_outcomes(console: Console, outcomes: "Sequence[DemoOutcome]", judge_model: str) -> None:
    if not console.is_terminal:
        console.width = NARROWEST
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("conf.", justify="right", no_wrap=True)
    table.add_column("question -> answer", ratio=5)
    table.add_column("why", ratio=6)
    for outcome in outcomes:
        table.add_row(*_row(outcome))
    console.print(table)
    counts = Counter(outcome.verdict for outcome in outcomes)
    console.print(f"{len(outcomes)} events: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    console.print(
        f"judged by: {judge_model}" + (", which is no LLM: see README.md" if judge_model == "offline" else "")
    )


def _row(outcome: "DemoOutcome") -> tuple[Text, str, Text, Text]:
    verdict = Text(outcome.verdict, style=VERDICT_STYLES.get(outcome.verdict, "magenta"))
    exchange = Text(_exchange(outcome.payload), overflow="fold")
    if isinstance(outcome.outcome, str):
        return verdict, "", exchange, Text(printable(outcome.outcome))
    result = outcome.outcome
    confidence = "" if result.confidence is None else f"{result.confidence:.2f}"
    return verdict, confidence, exchange, Text(printable(_why(result)))


def _exchange(payload: str) -> str:
    interaction = json.loads(payload).get("interaction", {})
    return printable(
        f"{interaction.get('user_query')} ->\u00a0{json.dumps(interaction.get('answer'), ensure_ascii=False)}"
    )


def _why(result: "Result") -> str:
    """What says most about it: the weakest stage."""
    if result.verdict == "skipped":
        return LEFT_OUT
    early = "early exit, no judge asked: " if result.early_exit else ""
    return f"{early}{weakest_stage(result) or ''}"
