"""The backlog for people."""

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from eval_worker.console.terminal import duration, printable
from eval_worker.stream.backlog_sum import sum_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eval_worker.settings import Settings
    from eval_worker.stream.backlog import Backlog, OtherGroup


def print_backlog(console: Console, backlogs: "Mapping[str, Backlog]", settings: "Settings", address: str) -> None:
    backlog = sum_of(backlogs)
    console.print(
        Text.assemble((settings.redis_stream_name, "bold"), f" at {address}, group {settings.redis_consumer_group}")
    )
    console.print(_figures(backlog))
    if len(backlogs) > 1:
        console.print(_partitions(backlogs))
    if not backlog.group_exists:
        console.print(Text("No worker has been here yet: start one with eval-worker run.", style="yellow"))
    elif backlog.consumers:
        console.print(_consumers(backlog))
    else:
        console.print(Text("No consumer is known: is a worker running?", style="yellow"))
    if backlog.other_groups:
        console.print(_other_groups(backlog, settings.idle_group_hours))


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
    return figures


def _partitions(backlogs: "Mapping[str, Backlog]") -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True, header_style="bold")
    for column in ("partition", "lag", "pending", "dead letters"):
        table.add_column(column, justify="right", no_wrap=True)
    for prefix, backlog in backlogs.items():
        figures = (backlog.lag, backlog.pending, backlog.dead_letters)
        table.add_row(prefix.rstrip("/"), *map(_number, figures))
    return table


def _consumers(backlog: "Backlog") -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True, header_style="bold")
    table.add_column("consumer", overflow="fold")
    table.add_column("pending", justify="right")
    table.add_column("idle", justify="right", no_wrap=True)
    for consumer in backlog.consumers:
        table.add_row(Text(printable(consumer.name)), _number(consumer.pending), duration(consumer.idle_seconds))
    return table


def _other_groups(backlog: "Backlog", idle_after_hours: float) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True, header_style="bold")
    table.add_column("other group", overflow="fold")
    for figure in ("lag", "pending", "idle", "holds back"):
        table.add_column(figure, justify="right", no_wrap=True)
    for group in backlog.other_groups:
        style = "yellow" if group.is_idle(idle_after_hours * 3600) else ""
        idle = duration(group.idle_seconds) if group.consumers else "no consumer"
        name, lag, pending = Text(printable(group.name)), _number(group.lag), _number(group.pending)
        table.add_row(name, lag, pending, Text(idle, style=style), _held_back(group))
    return table


def _held_back(group: "OtherGroup") -> str:
    if group.oldest_needed_id is None:
        return "nothing"
    if group.oldest_needed_seconds is None:
        return f"from {group.oldest_needed_id} on"
    return f"the last {duration(group.oldest_needed_seconds)}"


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"
