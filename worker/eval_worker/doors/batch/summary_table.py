"""The summary for people, on stderr."""

from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table
from rich.text import Text

from eval_worker.console.counted import counted
from eval_worker.console.terminal import VERDICT_STYLES, printable
from eval_worker.doors.batch.progress import cost

if TYPE_CHECKING:
    from rich.console import Console

    from eval_worker.doors.batch.tally import Tally

NARROWEST = 100  # a pipe has no width of its own
_AGENTS_SHOWN = 10
_FIGURES = ("mean", "p50", "p90", "p99")


def print_summary(console: "Console", tally: "Tally", pace: str) -> None:
    if not console.is_terminal:
        console.width = NARROWEST
    document = tally.as_document()
    if tally.all.judged:
        console.print(_stages(document))
        if len(tally.agents) > 1:
            console.print(_agents(document["agents"]))
    console.print(_verdicts(document))
    console.print(_cost(document).append(f"; {pace}"))


def _stages(document: dict[str, Any]) -> Table:
    table = _table("stage", "scored", "n/a", "skipped", "unscored", *_FIGURES)
    for stage in document["stages"]:
        table.add_row(
            Text(printable(stage["name"])),
            f"{stage['scored']:,}",
            f"{stage['not_applicable']:,}",
            f"{stage['skipped']:,}",
            f"{stage['unscored']:,}",
            *_figures(stage),
        )
    table.add_row("confidence", f"{document['judged']:,}", "", "", "", *_figures(document["confidence"]))
    return table


def _agents(agents: list[dict[str, Any]]) -> Table:
    table = _table("agent", "judged", "pass", "review", "fail", *_FIGURES)
    for agent in sorted(agents, key=lambda each: -each["judged"])[:_AGENTS_SHOWN]:
        counts = [f"{agent['verdicts'][verdict]:,}" for verdict in ("pass", "review", "fail")]
        name = printable(agent["name"] or "-")
        table.add_row(Text(name), f"{agent['judged']:,}", *counts, *_figures(agent["confidence"]))
    if len(agents) > _AGENTS_SHOWN:
        table.caption = f"{len(agents) - _AGENTS_SHOWN:,} more agents: see --summary"
    return table


def _table(first: str, *figures: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", caption_justify="left")
    table.add_column(first, overflow="fold")
    for figure in figures:
        table.add_column(figure, justify="right", no_wrap=True)
    return table


def _figures(scores: dict[str, Any]) -> list[str]:
    return ["-" if scores[figure] is None else f"{scores[figure]:.2f}" for figure in _FIGURES]


def _verdicts(document: dict[str, Any]) -> Text:
    line = Text(f"{counted(document['lines'], 'line')}: ")
    for verdict, count in document["verdicts"].items():
        line.append(f"{count:,} {verdict}", style=VERDICT_STYLES[verdict]).append(", ")
    line.append(f"{document['rejected']:,} rejected")
    line.append(f"; {counted(document['early_exits'], 'early exit')}, {document['partials']:,} partial")
    if document["conversations"]:
        line.append(f"; {counted(document['conversations'], 'conversation')}")
    return line


def _cost(document: dict[str, Any]) -> Text:
    usage = document["usage"]
    if not usage["llm_calls"]:
        return Text("no model calls")
    price = "cost unknown (no price is known of the model)" if usage["cost_usd"] is None else cost(usage["cost_usd"])
    tokens = f"{usage['input_tokens']:,} tokens in, {usage['output_tokens']:,} out"
    return Text(f"{counted(usage['llm_calls'], 'model call')}, {tokens}, {price}")
