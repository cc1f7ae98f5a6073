"""The backlog for people."""

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from eval_worker.console.terminal import duration, printable

if TYPE_CHECKING:
    from eval_worker.settings import Settings
    from eval_worker.stream.backlog import Backlog


def print_backlog(console: Console, backlog: "Backlog", settings: "Settings", address: str) -> None:
    console.print(
        Text.assemble((settings.redis_stream_name, "bold"), f" at {address}, group {settings.redis_consumer_group}")
    )
    console.print(_figures(backlog))
    if not backlog.group_exists:
        console.print(Text("No worker has been here yet: start one with eval-worker run.", style="yellow"))
        return
    if backlog.consumers:
        console.print(_consumers(backlog))
    else:
        console.print(Text("No consumer is known: is a worker running?", style="yellow"))


def _figures(backlog: "Backlog") -> Table:
    figures = Table.grid(padding=(0, 2, 0, 0))
    figures.add_column(style="dim")
    figures.add_column(justify="right")
    figures.add_column(style="dim")
    rows = [
        ("lag", _number(backlog.lag), "not read yet"),
        ("pending", _number(backlog.pending), "read and not settled"),
        ("oldest pending", duration(backlog.oldest_pending_seconds), "age of the oldest of them"),
        ("entries", _number(backlog.entries), "in the event stream"),
        ("results", _number(backlog.results), ""),
    ]
    for name, figure, meaning in rows:
        figures.add_row(f"  {name}", figure, meaning)
    hint = "see eval-worker dead-letters list" if backlog.dead_letters else ""
    style = "red" if backlog.dead_letters else ""
    figures.add_row("  dead letters", Text(_number(backlog.dead_letters), style=style), hint)
    if backlog.other_groups:
        figures.add_row("  other groups", str(len(backlog.other_groups)), printable(", ".join(backlog.other_groups)))
    return figures


def _consumers(backlog: "Backlog") -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True, header_style="bold")
    table.add_column("consumer", overflow="fold")
    table.add_column("pending", justify="right")
    table.add_column("idle", justify="right", no_wrap=True)
    for consumer in backlog.consumers:
        table.add_row(Text(printable(consumer.name)), _number(consumer.pending), duration(consumer.idle_seconds))
    return table


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"
