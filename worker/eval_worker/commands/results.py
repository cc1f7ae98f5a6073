"""`eval-worker results`: the verdicts, as lines for people or JSON lines for programs."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from eval_worker.commands.redis_addr import redis_addr_option, redis_session, settings_for
from eval_worker.console.terminal import is_terminal
from eval_worker.console.time_option import moment_in_seconds

if TYPE_CHECKING:
    from eval_worker.settings import Settings
    from eval_worker.stream.partitioned_results import AnyResults
    from eval_worker.stream.result_stream import StoredResult

VERDICTS = ("pass", "review", "fail", "skipped")
SCREENFUL = 20
BLOCK_SECONDS = 1
RETRY_SECONDS = 1.0

_Show = Callable[["StoredResult"], None]


@dataclass(frozen=True, slots=True)
class _Selection:
    """Which of the results that are there already: from `start` on, of them the `limit` newest; none if `skip`."""

    verdicts: frozenset[str]
    start: str
    limit: int | None
    skip: bool

    def wants(self, stored: "StoredResult") -> bool:
        return not self.verdicts or stored.verdict in self.verdicts


class _Waiting:
    """Waits for a Redis that went away, for ever, and says once that it does and once that it is there again."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings
        self._away: set[str] = set()

    async def wait(self, key: str, error: Exception) -> None:
        from eval_worker.redis_connection import explain

        if not self._away:
            click.echo(f"eval-worker: {explain(error, self._settings)}; waiting until it answers", err=True)
        self._away.add(key)
        await asyncio.sleep(RETRY_SECONDS)

    def over(self, key: str) -> None:
        if key in self._away:
            self._away.remove(key)
            if not self._away:
                click.echo("eval-worker: Redis answers again", err=True)


@click.command()
@click.option("--follow", "-f", is_flag=True, help="Go on with what comes in; without --since or --limit, only that.")
@click.option("--json", "as_json", is_flag=True, help="One result a line as JSON, as it lies in the stream.")
@click.option("--verdict", "verdicts", type=click.Choice(VERDICTS), multiple=True, help="Only these; may be repeated.")
@click.option(
    "--since",
    callback=moment_in_seconds,
    metavar="WHEN",
    help="Only results since so long ago (10m, 2h, 1d) or a time.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Of these the newest so many. Default: {SCREENFUL} on a terminal without --since, else all.",
)
@redis_addr_option
def results(
    *,
    follow: bool,
    as_json: bool,
    verdicts: tuple[str, ...],
    since: float | None,
    limit: int | None,
    redis_addr: str | None,
) -> None:
    """Show verdicts, oldest first."""
    settings = settings_for(redis_addr)
    for_people = is_terminal() and not as_json
    selection = _Selection(
        frozenset(verdicts),
        start="-" if since is None else f"{max(int(since * 1000), 0)}-0",
        limit=SCREENFUL if for_people and limit is None and since is None else limit,
        skip=follow and since is None and limit is None,
    )
    show = _lines_for_people() if for_people else _print_json
    asyncio.run(_run(settings, selection, show, follow=follow))


async def _run(settings: "Settings", selection: _Selection, show: _Show, *, follow: bool) -> None:
    from eval_worker.stream.partitioned_results import results_of

    async with redis_session(settings, block_seconds=BLOCK_SECONDS) as client:
        stream = results_of(client, settings)
        last_id = await stream.last_id()
        if not selection.skip:
            await _show_past(stream, selection, last_id, show)
        if follow:
            async with aclosing(
                stream.after(last_id, block_ms=BLOCK_SECONDS * 1000, outages=_Waiting(settings))
            ) as coming:
                async for stored in coming:
                    if selection.wants(stored):
                        show(stored)


async def _show_past(stream: "AnyResults", selection: _Selection, until: str, show: _Show) -> None:
    """Show what was there up to that place."""
    if selection.limit is not None:
        await _show_newest(stream, selection, until, selection.limit, show)
        return
    async with aclosing(stream.since(selection.start, until=until)) as past:
        async for stored in past:
            if selection.wants(stored):
                show(stored)


async def _show_newest(stream: "AnyResults", selection: _Selection, until: str, limit: int, show: _Show) -> None:
    newest: list[StoredResult] = []
    async with aclosing(stream.newest(selection.start, until=until)) as past:
        async for stored in past:
            if selection.wants(stored):
                newest.append(stored)
            if len(newest) == limit:
                break
    for stored in reversed(newest):
        show(stored)


def _print_json(stored: "StoredResult") -> None:
    click.echo(stored.payload)


def _lines_for_people() -> _Show:
    from eval_worker.console.terminal import make_console
    from eval_worker.console.verdicts import print_heading, print_verdict

    console = make_console()
    print_heading(console)
    return partial(print_verdict, console)
