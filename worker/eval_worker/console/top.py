"""One frame of `eval-worker top`: the figures at a glance, as much of them as the terminal has room for."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from eval_worker.console.terminal import VERDICT_STYLES, duration, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eval_worker.dashboard.figures import AgentFigures, CostFigures, Figures, StageFigures
    from eval_worker.stream.backlog import Backlog

WIDE = 140  # agents and stages stand side by side
_WITH_TREND = 96
_BROAD = 116
_NARROW = 60  # below, bars are shorter and verdicts have a line of their own
_LONGEST_NAME = 22
_STAGES_BESIDE = _LONGEST_NAME + 38  # with what is between the tables
_FILLS = {"pass": "█", "review": "▓", "fail": "▒", "skipped": "░"}  # told apart without colours, too
_SPARKS = "▁▂▃▄▅▆▇█"
_MOST_STAGES = 8
_MOST_DOLLARS = 1e15
_LEAST_FOR_STAGES = 4  # a line between, their heading, and one of each


@dataclass(frozen=True, slots=True)
class Frame:
    """What is shown. `problem` says why Redis can't be used; then the rest is from before."""

    title: str
    clock: str
    figures: "Figures"
    looked_at: int
    entries: int
    backlog: "Backlog | None"
    problem: str | None
    loading: bool
    live: bool


def draw(frame: Frame, *, width: int, height: int) -> RenderableType:
    """Lay it out for a terminal of so many columns and lines."""
    figures = frame.figures
    above: list[RenderableType] = [_heading(frame), *_problem(frame), Text(), *_counts(frame, width)]
    above += [*_waiting(frame.backlog, width), *_verdicts(figures.verdicts, width), Text()]
    if not figures.results:
        words = "reading results…" if frame.loading else "no results yet: eval-worker run, then eval-producer"
        return Group(*above, Text(words, style="dim"))
    room = max(height - len(above) - 1, 2)
    if width >= WIDE:
        beside = Table.grid(padding=(0, 4, 0, 0))
        agents = _agents(figures, room, width - _STAGES_BESIDE, trend=12)
        beside.add_row(agents, _stages(figures.stages, room, _STAGES_BESIDE, meter=12))
        return Group(*above, beside)
    if room <= _LEAST_FOR_STAGES:
        return Group(*above, _agents(figures, room, width, trend=0))
    stages = min(len(figures.stages), _MOST_STAGES, room - 3)
    agents = _agents(figures, max(room - stages - 2, 1), width, trend=24 if width >= _WITH_TREND else 0)
    return Group(*above, agents, Text(), _stages(figures.stages, stages, width, meter=20 if width >= _NARROW else 6))


def _heading(frame: Frame) -> Table:
    heading = Table.grid(expand=True)
    heading.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    heading.add_column(justify="right", no_wrap=True)
    heading.add_row(
        Text.assemble(("eval-worker top", "bold"), f"  {printable(frame.title)}"),
        Text(f"{frame.clock}{'  q quits' if frame.live else ''}", style="dim"),
    )
    return heading


def _problem(frame: Frame) -> list[Text]:
    if frame.problem is None:
        return []
    words = f"{printable(frame.problem)}; what is shown is from before"
    return [Text(words, style="bold red", no_wrap=True, overflow="ellipsis")]


def _counts(frame: Frame, width: int) -> list[Text]:
    """On one line, on two, or on as many as it takes."""
    figures = frame.figures
    seen = f" of {frame.entries:,}" if frame.entries > frame.looked_at else ""
    first = (
        ("results", f"{figures.results:,}{seen}", f"{figures.last_minute:,} in the last minute"),
        ("confidence", _score(figures.mean_confidence), ""),
    )
    second = (
        ("early exits", _percent(figures.early_exits, figures.results), ""),
        ("partial", _percent(figures.partial, figures.results - figures.verdicts["skipped"]), ""),
        ("cost", *_cost(figures.cost, figures.results)),
    )
    return _lines(width, *first, *second) if width >= _BROAD else [*_lines(width, *first), *_lines(width, *second)]


def _waiting(backlog: "Backlog | None", width: int) -> "list[Text]":
    if backlog is None:
        return [Text("the streams were not read yet", style="dim", no_wrap=True, overflow="ellipsis")]
    oldest = f"oldest {duration(backlog.oldest_pending_seconds)}" if backlog.pending else ""
    return _lines(
        width,
        ("waiting", "unknown" if backlog.lag is None else f"{backlog.lag:,}", ""),
        ("pending", f"{backlog.pending:,}", oldest),
        ("workers", f"{len(backlog.consumers):,}", "" if backlog.consumers else "none runs"),
        ("dead letters", f"{backlog.dead_letters:,}", ""),
        alarming=("dead letters",) if backlog.dead_letters else (),
    )


def _lines(width: int, *figures: tuple[str, str, str], alarming: "Sequence[str]" = ()) -> "list[Text]":
    return _flow(
        width,
        "   ",
        *(
            Text.assemble(
                (name, "dim"),
                " ",
                (figure, "bold red" if name in alarming else "bold"),
                (f" ({note})" if note else "", "dim"),
            )
            for name, figure, note in figures
        ),
    )


def _flow(width: int, between: str, *parts: Text) -> "list[Text]":
    """As many on a line as have room there."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(between) + part.cell_len <= width:
            lines[-1].append(between).append_text(part)
        else:
            lines.append(Text(no_wrap=True, overflow="ellipsis").append_text(part))
    return lines


def _verdicts(verdicts: "Mapping[str, int]", width: int) -> "list[Text]":
    total = sum(verdicts.values())
    shown = [verdict for verdict in _FILLS if verdict != "skipped" or verdicts[verdict]]
    parts = [
        Text(f"{_FILLS[verdict]} {verdict} {_percent(verdicts[verdict], total)}", style=VERDICT_STYLES[verdict])
        for verdict in shown
    ]
    if width < _NARROW:
        return [_bar(verdicts, width), *_flow(width, "  ", *parts)]
    words = Text("  ").join(parts)
    room = max(width - words.cell_len - 2, 8)
    return [Text.assemble(_bar(verdicts, room), "  ", words, no_wrap=True, overflow="ellipsis")]


def _agents(figures: "Figures", room: int, width: int, *, trend: int) -> Table:
    """With the newest so many steps of confidence, if any. What is too wide is cut off the names, never the figures."""
    shown, bar = figures.agents[:room], 16 if width >= _NARROW else 0
    names = max(width - (7 + 2 + 6 + 2 + 5) - 2 * 2 - sum(each + 2 for each in (bar, trend) if each), 8)
    versions = max((cell_len(printable(agent.version or "")) for agent in shown), default=0)
    versions = min(max(versions, len("version")), names // 2, _LONGEST_NAME)
    table = _table(agent=min(names - versions, _LONGEST_NAME), version=versions)
    table.add_column("results", justify="right", no_wrap=True)
    if bar:
        table.add_column("verdicts", no_wrap=True)
    for name in ("passed", "conf."):
        table.add_column(name, justify="right", no_wrap=True)
    if trend:
        table.add_column("over time", no_wrap=True)
    for agent in shown:
        table.add_row(*_agent(agent, bar), *([_spark(agent.timeline.mean_confidence, trend)] if trend else []))
    return table


def _agent(agent: "AgentFigures", bar: int) -> "Sequence[str | Text]":
    return (
        _name(agent.agent, "no name"),
        _name(agent.version, "-"),
        f"{agent.results:,}",
        *([_bar(agent.verdicts, bar)] if bar else []),
        _percent(agent.verdicts["pass"], agent.results),
        _score(agent.mean_confidence),
    )


def _stages(stages: "Sequence[StageFigures]", room: int, width: int, *, meter: int) -> Table:
    table = _table(stage=min(max(width - 2 - (4 + 2 + meter + 2 + 8), 4), _LONGEST_NAME))
    table.add_column("mean", justify="right", no_wrap=True)
    table.add_column("0 to 1", no_wrap=True)
    table.add_column("unscored", justify="right", no_wrap=True)
    for stage in stages[:room]:
        unscored = Text(f"{stage.unscored:,}" if stage.unscored else "-", style="red" if stage.unscored else "dim")
        filled = round(meter * (stage.mean or 0))
        drawn = Text.assemble(("━" * filled, "cyan"), ("─" * (meter - filled), "dim"))
        table.add_row(_name(stage.name, "-"), _score(stage.mean), drawn, unscored)
    return table


def _table(**names: int) -> Table:
    """Its first columns, and how wide each may be."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for name, width in names.items():
        table.add_column(name, no_wrap=True, overflow="ellipsis", max_width=width)
    return table


def _name(name: str | None, otherwise: str) -> Text:
    return Text(otherwise, style="dim") if name is None else Text(printable(name))


def _bar(verdicts: "Mapping[str, int]", width: int) -> Text:
    """As many cells for each verdict as its share, so that they add up to the whole."""
    total, before, bar = sum(verdicts.values()), 0, Text()
    for verdict, fill in _FILLS.items():
        after = before + verdicts[verdict]
        cells = round(width * after / total) - round(width * before / total) if total else 0
        bar.append(fill * cells, style=VERDICT_STYLES[verdict])
        before = after
    bar.pad_right(width - bar.cell_len)
    return bar


def _spark(means: "Sequence[float | None]", width: int) -> Text:
    newest = means[-width:]
    return Text("".join(" " if mean is None else _SPARKS[min(int(mean * 8), 7)] for mean in newest), style="cyan")


def _score(mean: float | None) -> str:
    return "-" if mean is None else f"{mean:.2f}"


def _percent(part: int, total: int) -> str:
    return f"{100 * part / total:.1f}%" if total else "-"


def _cost(cost: "CostFigures", results: int) -> tuple[str, str]:
    """The whole, and what 1,000 results cost; unknown stays unknown."""
    if not cost.llm_calls:
        return "$0", ""
    if cost.known_usd is None:
        return "unknown", ""
    if cost.unknown:
        return _dollars(cost.known_usd), f"unknown for {cost.unknown:,}"
    return _dollars(cost.known_usd), f"{_dollars(1000 * cost.known_usd / results)} for 1,000"


def _dollars(usd: float) -> str:
    """No sum of money has more than so many digits: somebody's result says so."""
    return f"${usd:,.2f}" if usd < _MOST_DOLLARS else f"${usd:.1e}"
