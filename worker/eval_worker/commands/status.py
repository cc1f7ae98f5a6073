"""`eval-worker status`: how much is waiting, and who works on it."""

import asyncio
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from eval_worker.commands.redis_addr import redis_addr_option, redis_session, settings_for
from eval_worker.console.terminal import is_terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eval_worker.settings import Settings
    from eval_worker.stream.backlog import Backlog


@click.command(short_help="Show lag, pending events, consumers and dead letters.")
@click.option("--json", "as_json", is_flag=True, help="The figures as one line of JSON; null is unknown.")
@redis_addr_option
def status(*, as_json: bool, redis_addr: str | None) -> None:
    """Show lag, pending events, consumers, dead letters and what other groups hold back."""
    settings = settings_for(redis_addr)
    backlogs = asyncio.run(_read(settings))
    if as_json or not is_terminal():
        click.echo(json.dumps(_document(settings, backlogs), ensure_ascii=False))
        return
    from eval_worker.console.backlog import print_backlog
    from eval_worker.console.terminal import make_console
    from eval_worker.redis_connection import address

    print_backlog(make_console(), backlogs, settings, address(settings))


async def _read(settings: "Settings") -> "Mapping[str, Backlog]":
    from eval_worker.stream.backlog_sum import read_backlogs

    async with redis_session(settings) as client:
        return await read_backlogs(client, settings)


def _document(settings: "Settings", backlogs: "Mapping[str, Backlog]") -> dict[str, object]:
    from eval_worker.stream.backlog_sum import sum_of

    backlog = sum_of(backlogs)
    idle_after = settings.idle_group_hours * 3600
    others = [{**asdict(group), "idle": group.is_idle(idle_after)} for group in backlog.other_groups]
    names = {"stream": settings.redis_stream_name, "group": settings.redis_consumer_group}
    document: dict[str, object] = {**names, **asdict(backlog), "other_groups": others}
    if len(backlogs) > 1:
        document["partitions"] = [_of_partition(each) for each in backlogs.values()]
    return document


def _of_partition(backlog: "Backlog") -> dict[str, object]:
    """In the order of their numbers."""
    figures = asdict(backlog)
    return {name: figures[name] for name in ("entries", "pending", "lag", "results", "dead_letters")}
