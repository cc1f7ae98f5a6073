"""Verdicts for people: a line each, or one with all its stages."""

from collections.abc import Iterator
from itertools import islice

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from eval_worker.console.conversation_verdicts import MOST_SHOWN, figures_in_short, wrong_tools
from eval_worker.console.terminal import LEFT_OUT, VERDICT_STYLES, printable
from eval_worker.result import Result, StageResult
from eval_worker.stream.result_stream import StoredResult
from eval_worker.weakest_stage import weakest_stage

_TIME, _VERDICT, _CONFIDENCE, _EVENT = 9, 8, 6, 20
_INDENT = 2


def print_heading(console: Console) -> None:
    heading = _columns("TIME", Text("VERDICT"), "CONF", "EVENT", "WHY")
    heading.stylize("bold")
    console.print(heading, no_wrap=True, overflow="ellipsis")


def print_verdict(console: Console, stored: StoredResult) -> None:
    """One line, as they come; what does not fit in the terminal's width is cut."""
    result = stored.result
    verdict = Text(stored.verdict, style=VERDICT_STYLES.get(stored.verdict, ""))
    line = _columns(
        _clock(result),
        verdict,
        _confidence(stored.confidence),
        stored.event_id or stored.id,
        _why(result) if result else "",
    )
    console.print(line, no_wrap=True, overflow="ellipsis")


def print_verdict_with_stages(console: Console, stored: StoredResult) -> None:
    """Everything about one event that a person wants to know first."""
    style = VERDICT_STYLES.get(stored.verdict, "")
    heading = Text.assemble(
        (stored.verdict, f"bold {style}"), f"  {_confidence(stored.confidence)}  ", printable(stored.event_id)
    )
    result = stored.result
    if result is not None:
        notes = _notes(result)
        heading.append(f"  ({', '.join(notes)})" if notes else "", style="dim")
    console.print(heading)
    if result is None:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for name, score, reason in _rows(result):
        table.add_row(Text(" " * _INDENT + printable(name)), Text(score), Text(printable(reason), style="dim"))
    console.print(table)
    if result.verdict != "skipped":
        console.print(Text(f"{' ' * _INDENT}judged by {printable(result.model)}", style="dim"))


def _rows(result: Result) -> Iterator[tuple[str, str, str]]:
    """Name, score and reason of each stage; of conversations as many as a person reads, and what their tools lack."""
    if result.agentic is None:
        yield from ((stage.name, _score(stage), stage.reason) for stage in result.stages)
        return
    yield "conversations", "", figures_in_short(result.agentic)
    yield from ((stage.name, _score(stage), stage.reason) for stage in result.stages[:MOST_SHOWN])
    if len(result.stages) > MOST_SHOWN:
        yield "", "", f"and {len(result.stages) - MOST_SHOWN:,} more interactions: see eval-worker results --json"
    for score, reason in islice(wrong_tools(result.agentic), MOST_SHOWN):
        yield "tools", f"{score:.2f}", reason


def _columns(when: str, verdict: Text, confidence: str, event: str, why: str) -> Text:
    event = printable(event)
    if cell_len(event) >= _EVENT:  # cells, as one Chinese character takes two
        event = set_cell_size(event, _EVENT - 2) + "…"
    event = set_cell_size(event, _EVENT)
    verdict.pad_right(max(_VERDICT - len(verdict), 1))
    return Text.assemble((f"{when:<{_TIME}} ", "dim"), verdict, f"{confidence:<{_CONFIDENCE}} ", event, (why, "dim"))


def _clock(result: Result | None) -> str:
    if result is None:
        return "-"
    return result.evaluated_at.astimezone().strftime("%H:%M:%S")


def _confidence(text: str) -> str:
    try:
        return f"{float(text):.3f}"
    except ValueError:
        return "-"


def _why(result: Result) -> str:
    """The weakest stage, unless there is nothing to explain; then who answered. Of conversations the figures."""
    notes = [*_notes(result), *([figures_in_short(result.agentic)] if result.agentic is not None else [])]
    weakest = weakest_stage(result)
    if result.verdict in {"pass", "skipped"} or weakest is None:
        name = result.agent.name if result.agent else None
        return ", ".join([*notes, f"agent {printable(name)}" if name else ""]).strip(", ")
    return "".join(f"{note}; " for note in notes) + printable(str(weakest))


def _notes(result: Result) -> list[str]:
    known = (("early exit", result.early_exit), ("partial", result.partial), (LEFT_OUT, result.verdict == "skipped"))
    notes = [word for word, applies in known if applies]
    return [*notes, f"attempt {result.attempt}"] if (result.attempt or 1) > 1 else notes


def _score(stage: StageResult) -> str:
    return "-" if stage.score is None else f"{stage.score:.2f}"
