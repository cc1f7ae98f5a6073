"""`eval-worker dead-letters`: look at what could not be evaluated, send it again or throw it away."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING

import click

from eval_worker.commands.redis_addr import redis_addr_option, redis_session, settings_for
from eval_worker.console.terminal import is_terminal
from eval_worker.console.time_option import duration_in_seconds

if TYPE_CHECKING:
    from eval_worker.settings import Settings
    from eval_worker.stream.dead_letters import StoredDeadLetter
    from eval_worker.stream.partitioned_dead_letters import PartitionedDeadLetters

SCREENFUL = 50
_ID = re.compile(r"(\d{1,4}/)?\d{1,20}-\d{1,20}")


def _checked_ids(
    _context: click.Context, _argument: click.Parameter, value: str | tuple[str, ...]
) -> str | tuple[str, ...]:
    for letter_id in (value,) if isinstance(value, str) else value:
        if not _ID.fullmatch(letter_id):
            raise click.BadParameter(f"{letter_id!r} is not an id such as 1700000000000-0, or 3/1700000000000-0")
    return value


@click.group("dead-letters")
def dead_letters() -> None:
    """Look at what could not be evaluated, replay it or purge it."""


@dead_letters.command("list")
@click.option("--json", "as_json", is_flag=True, help="One dead letter a line as JSON.")
@click.option(
    "--limit", type=click.IntRange(min=1), help=f"The oldest so many. Default: {SCREENFUL} on a terminal, else all."
)
@redis_addr_option
def list_letters(*, as_json: bool, limit: int | None, redis_addr: str | None) -> None:
    """List dead letters, oldest first."""
    settings = settings_for(redis_addr)
    if as_json or not is_terminal():
        asyncio.run(_print_json_lines(settings, limit))
        return
    from eval_worker.console.dead_letters import print_letters
    from eval_worker.console.terminal import make_console

    total, letters = asyncio.run(_first(settings, limit or SCREENFUL))
    print_letters(make_console(), letters, total)


@dead_letters.command("show")
@click.argument("letter_id", metavar="ID", callback=_checked_ids)
@redis_addr_option
def show_letter(letter_id: str, redis_addr: str | None) -> None:
    """Show one dead letter whole, with the event as it came."""
    from eval_worker.console.dead_letters import letter_in_full

    letter = asyncio.run(_get(settings_for(redis_addr), letter_id))
    click.echo(letter_in_full(letter, as_seen_on_terminal=is_terminal()))


@dead_letters.command("replay", short_help="Put events back on the event stream.")
@click.argument("ids", metavar="[ID]...", callback=_checked_ids, nargs=-1)
@click.option("--all", "every", is_flag=True, help="All that are there now.")
@redis_addr_option
def replay_letters(ids: tuple[str, ...], redis_addr: str | None, *, every: bool) -> None:
    """Put events back on the event stream, byte for byte, and remove their dead letters.

    Prints the new stream id of each.
    """
    if every == bool(ids):
        raise click.UsageError("Name the ids to replay, or give --all; not both.")
    settings = settings_for(redis_addr)
    failed = asyncio.run(_replay_all(settings) if every else _replay(settings, ids))
    if failed:
        sys.exit(1)


@dead_letters.command("purge")
@click.argument("ids", metavar="[ID]...", callback=_checked_ids, nargs=-1)
@click.option("--all", "every", is_flag=True, help="All that are there now.")
@click.option(
    "--older-than", callback=duration_in_seconds, metavar="DURATION", help="Those that failed longer ago, such as 7d."
)
@click.option("--yes", is_flag=True, help="Don't ask.")
@redis_addr_option
def purge_letters(
    ids: tuple[str, ...], redis_addr: str | None, *, every: bool, older_than: float | None, yes: bool
) -> None:
    """Delete dead letters for good."""
    if [every, bool(ids), older_than is not None].count(True) != 1:
        raise click.UsageError("Name the ids to purge, or --all, or --older-than.")
    settings = settings_for(redis_addr)
    if not yes:
        _confirm(settings, ids, older_than)
    purged = asyncio.run(_purge(settings, ids, older_than))
    click.echo(f"purged {purged}", err=True)
    if purged < len(set(ids)):
        click.echo(f"{len(set(ids)) - purged} of the named dead letters were not there", err=True)
        sys.exit(1)


@asynccontextmanager
async def _letters(settings: "Settings") -> AsyncGenerator["PartitionedDeadLetters"]:
    from eval_worker.stream.partitioned_dead_letters import dead_letters_of

    async with redis_session(settings) as client:
        yield dead_letters_of(client, settings)


async def _first(settings: "Settings", limit: int) -> "tuple[int, list[StoredDeadLetter]]":
    found: list[StoredDeadLetter] = []
    async with _letters(settings) as letters, aclosing(letters.all()) as every:
        async for letter in every:
            found.append(letter)
            if len(found) == limit:
                break
        return await letters.count(), found


async def _print_json_lines(settings: "Settings", limit: int | None) -> None:
    from eval_worker.console.dead_letters import letter_as_json

    async with _letters(settings) as letters, aclosing(letters.all()) as every:
        left = limit
        async for letter in every:
            click.echo(json.dumps(letter_as_json(letter), ensure_ascii=False))
            if left is not None:
                left -= 1
            if left == 0:
                return


async def _get(settings: "Settings", letter_id: str) -> "StoredDeadLetter":
    from eval_worker.errors import EvalWorkerError

    async with _letters(settings) as letters:
        letter = await letters.get(letter_id)
    if letter is None:
        raise EvalWorkerError(f"there is no dead letter {letter_id}: see eval-worker dead-letters list")
    return letter


async def _replay(settings: "Settings", ids: tuple[str, ...]) -> int:
    """Replay the named ones and return how many could not be."""
    failed = 0
    async with _letters(settings) as letters:
        for letter_id in dict.fromkeys(ids):
            letter = await letters.get(letter_id)
            if letter is None:
                click.echo(f"{letter_id}: there is no such dead letter", err=True)
                failed += 1
            else:
                failed += not await _replay_one(letters, letter)
    return failed


async def _replay_all(settings: "Settings") -> int:
    failed = 0
    async with _letters(settings) as letters, aclosing(letters.all()) as every:
        async for letter in every:
            failed += not await _replay_one(letters, letter)
    return failed


async def _replay_one(letters: "PartitionedDeadLetters", letter: "StoredDeadLetter") -> bool:
    from eval_worker.errors import EvalWorkerError

    try:
        new_id = await letters.replay(letter)
    except EvalWorkerError as error:
        click.echo(str(error), err=True)
        return False
    if new_id is None:
        click.echo(f"{letter.id}: was replayed or purged meanwhile", err=True)
        return False
    click.echo(new_id)
    return True


def _confirm(settings: "Settings", ids: tuple[str, ...], older_than: float | None) -> None:
    """Ask a person; a script has to say --yes, since nobody is there to be asked."""
    if not sys.stdin.isatty():
        raise click.UsageError("Without a terminal to ask on, say --yes.")
    from eval_worker.console.counted import counted
    from eval_worker.console.terminal import duration

    if ids:
        what = counted(len(set(ids)), "dead letter")
    elif older_than is None:
        count = asyncio.run(_count(settings))
        what = "the one dead letter" if count == 1 else f"all {count:,} dead letters"
    else:
        age = " ".join(part for part in duration(older_than).split() if part[:-1] != "0")  # 7d, and not 7d 0h
        what = f"{counted(asyncio.run(_count(settings, older_than)), 'dead letter')} older than {age or '0s'}"
    partitions = settings.stream_partitions
    where = settings.redis_dead_letter_stream if partitions == 1 else f"all {partitions} partitions"
    click.confirm(f"Delete {what} in {where} for good?", abort=True, err=True)


async def _count(settings: "Settings", older_than: float | None = None) -> int:
    async with _letters(settings) as letters:
        return await (letters.count() if older_than is None else letters.count_older_than(older_than))


async def _purge(settings: "Settings", ids: tuple[str, ...], older_than: float | None) -> int:
    async with _letters(settings) as letters:
        if ids:
            return await letters.purge(ids)
        return await (letters.purge_all() if older_than is None else letters.purge_older_than(older_than))
