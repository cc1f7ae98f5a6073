"""The `eval-producer` command: puts events on the stream and, if asked to, waits for what becomes of them."""

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from eval_worker import __version__
from eval_worker.console.command_line import run_command_line
from eval_worker.console.finite_float import FiniteFloat
from eval_worker.errors import MalformedEventError, SettingsError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from io import BufferedIOBase

    from eval_producer.read_events import Line
    from eval_producer.report import Report
    from eval_worker.settings import Settings

NAME = "eval-producer"
DEFAULT_WAIT_SECONDS = 60.0
_EXAMPLE = """\b
Example:
  eval-producer --wait -d '{"event_id": "evt-001", "interaction":
    {"user_query": "What is 2 + 2?", "answer": "4"}}'"""


@click.command(epilog=_EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-d", "--data", metavar="JSON", help="One event.")
@click.option("-f", "--file", metavar="FILE", help="Many events, one a line; - is stdin.")
@click.option("--redis-addr", metavar="HOST:PORT", help="Where Redis is; overrides REDIS_ADDR and REDIS_URL.")
@click.option("--stream", metavar="NAME", help="The event stream; overrides REDIS_STREAM_NAME. [default: eval-events]")
@click.option("--wait", is_flag=True, help="Print the verdicts as they come. A dead letter or a timeout exits with 1.")
@click.option(
    "--timeout",
    type=FiniteFloat(min=0, min_open=True, max=86_400),
    default=DEFAULT_WAIT_SECONDS,
    metavar="S",
    help="With --wait: give up when no verdict has come for so many seconds. [default: 60]",
)
@click.option("--no-validate", is_flag=True, help="Send whatever is given; the worker may make it a dead letter.")
@click.version_option(__version__, prog_name=NAME)
def eval_producer(
    *,
    data: str | None,
    file: str | None,
    redis_addr: str | None,
    stream: str | None,
    wait: bool,
    timeout: float,
    no_validate: bool,
) -> None:
    """Put events on the stream that eval-worker reads, and print their stream ids."""
    if (data is None) == (file is None):
        raise click.UsageError("Give one event with -d '<json>', or a file of them with -f FILE (-f - is stdin).")
    settings = _settings(redis_addr, stream)
    wait_seconds = timeout if wait else None
    if data is not None:
        done = _deliver_one(settings, os.fsencode(data), wait_seconds, validate=not no_validate)
    else:
        done = _deliver_file(settings, file or "-", wait_seconds, validate=not no_validate)
    if not done:
        sys.exit(1)


def main() -> None:
    sys.exit(run_command_line(eval_producer, NAME))


def _settings(redis_addr: str | None, stream: str | None) -> "Settings":
    from eval_worker.commands.redis_addr import settings_for

    return settings_for(redis_addr, redis_stream_name=stream)


def _deliver_one(settings: "Settings", payload: bytes, wait_seconds: float | None, *, validate: bool) -> bool:
    from eval_producer.delivery import open_delivery
    from eval_producer.report import Report
    from eval_worker.event import decode_event

    if validate:
        try:
            decode_event(payload, max_bytes=settings.max_event_bytes)
        except MalformedEventError as error:
            problem = str(error).removeprefix("payload: ")
            raise SettingsError(f"-d {problem} (--no-validate sends it all the same)") from error
    report = Report(verdicts=wait_seconds is not None, single=True)
    with open_delivery(settings, report, wait=wait_seconds is not None) as delivery:
        delivery.send([payload])
        return delivery.finish(wait_seconds or 0)


def _deliver_file(settings: "Settings", file: str, wait_seconds: float | None, *, validate: bool) -> bool:
    from eval_producer.delivery import open_delivery
    from eval_producer.progress import progress_of
    from eval_producer.read_events import read_events
    from eval_producer.report import Report

    report = Report(verdicts=wait_seconds is not None, single=False)
    with _opened(file) as source, open_delivery(settings, report, wait=wait_seconds is not None) as delivery:
        with progress_of(source, wanted=report.leaves_room_for_progress) as advance:
            for batch in read_events(source):
                good = [line.payload for line in batch.lines if not validate or _is_event(line, settings, report)]
                delivery.send(good)
                advance(batch.read_bytes, report.sent_count)
        done = delivery.finish(wait_seconds or 0)
    report.summary()
    return done and not report.bad_lines


def _is_event(line: "Line", settings: "Settings", report: "Report") -> bool:
    from eval_worker.event import decode_event

    try:
        decode_event(line.payload, max_bytes=settings.max_event_bytes)
    except MalformedEventError as error:
        report.bad_line(line.number, str(error))
        return False
    return True


def _opened(file: str) -> "AbstractContextManager[BufferedIOBase]":
    if file == "-":
        return nullcontext(cast("BufferedIOBase", sys.stdin.buffer))
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise SettingsError(f"-f: {file} can't be read: {error.strerror}") from error
