"""`eval-worker status`: how much is waiting, and who works on it."""

import asyncio
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from eval_worker.commands.redis_addr import redis_addr_option, redis_session, settings_for
from eval_worker.console.terminal import is_terminal

if TYPE_CHECKING:
    from eval_worker.settings import Settings
    from eval_worker.stream.backlog import Backlog


@click.command()
@click.option("--json", "as_json", is_flag=True, help="The figures as one line of JSON; null is unknown.")
@redis_addr_option
def status(*, as_json: bool, redis_addr: str | None) -> None:
    """Show lag, pending events, consumers, dead letters and what other groups hold back."""
    settings = settings_for(redis_addr)
    backlog = asyncio.run(_read(settings))
    if as_json or not is_terminal():
        click.echo(json.dumps(_document(settings, backlog), ensure_ascii=False))
        return
    from eval_worker.console.backlog import print_backlog
    from eval_worker.console.terminal import make_console
    from eval_worker.redis_connection import address

    print_backlog(make_console(), backlog, settings, address(settings))


async def _read(settings: "Settings") -> "Backlog":
    from eval_worker.stream.backlog import read_backlog

    async with redis_session(settings) as client:
        return await read_backlog(
            client,
            events=settings.redis_stream_name,
            results=settings.redis_result_stream,
            dead_letters=settings.redis_dead_letter_stream,
            group=settings.redis_consumer_group,
            keep_events=settings.keep_events,
        )


def _document(settings: "Settings", backlog: "Backlog") -> dict[str, object]:
    idle_after = settings.idle_group_hours * 3600
    others = [{**asdict(group), "idle": group.is_idle(idle_after)} for group in backlog.other_groups]
    names = {"stream": settings.redis_stream_name, "group": settings.redis_consumer_group}
    return {**names, **asdict(backlog), "other_groups": others}
