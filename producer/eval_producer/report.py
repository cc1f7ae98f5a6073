"""What the producer says: ids and verdicts on stdout, everything else on stderr."""

import sys
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

import click

from eval_worker.console.counted import counted
from eval_worker.console.terminal import is_terminal, make_console, printable
from eval_worker.stream.dead_letters import StoredDeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from eval_producer.await_verdicts import Verdict
    from eval_worker.stream.result_stream import StoredResult

MOST_MISSING_NAMED = 10


class Report:
    """With `verdicts`, those are the data, and the ids step aside to stderr."""

    def __init__(self, *, verdicts: bool, single: bool) -> None:
        self._verdicts = verdicts
        self._single = single
        self._for_people = is_terminal()
        self._headed = False
        self.dead = 0
        self.bad_lines = 0
        self.sent_count = 0

    @property
    def leaves_room_for_progress(self) -> bool:
        """Verdicts that are read as they come are the progress, and a bar between them would be torn."""
        return not (self._verdicts and self._for_people)

    def sent(self, stream_ids: "Sequence[str]") -> None:
        self.sent_count += len(stream_ids)
        if self._verdicts and self._for_people and not self._single:
            return  # a screen of ids would only bury the verdicts
        _write_line("\n".join(stream_ids), sys.stderr if self._verdicts else sys.stdout)

    def bad_line(self, number: int, why: str) -> None:
        self.bad_lines += 1
        say(f"line {number}: {why}")

    def summary(self) -> None:
        left_out = f", left out {counted(self.bad_lines, 'bad line')}" if self.bad_lines else ""
        say(f"sent {counted(self.sent_count, 'event')}{left_out}")

    def judged(self, verdict: "Verdict") -> None:
        outcome = verdict.outcome
        if isinstance(outcome, StoredDeadLetter):
            self.dead += 1
            say(
                f"{verdict.source_id} became a dead letter: {printable(outcome.reason)} "
                f"(eval-worker dead-letters show {outcome.id})"
            )
        elif self._for_people:
            self._show(outcome)
        else:
            click.echo(outcome.payload)

    def unjudged(self, stream_ids: "Iterable[str]", seconds: float) -> None:
        missing = sorted(stream_ids, key=_place)
        for stream_id in missing[:MOST_MISSING_NAMED]:
            say(f"{stream_id} has no verdict after {seconds:g} seconds: is a worker running? (eval-worker status)")
        if len(missing) > MOST_MISSING_NAMED:
            say(f"and {len(missing) - MOST_MISSING_NAMED:,} more have none")

    def left_waiting(self, count: int) -> None:
        """Say it of what was sent, where nobody waits any longer for its verdicts."""
        which = "the event" if self._single else f"{count:,} of the {counted(self.sent_count, 'event')} sent"
        say(f"{which} {'has' if count == 1 else 'have'} no verdict yet: see eval-worker results later")

    def _show(self, stored: "StoredResult") -> None:
        from eval_worker.console.verdicts import (  # noqa: PLC0415  # rich, only where a person looks
            print_heading,
            print_verdict,
            print_verdict_with_stages,
        )

        if self._single:
            print_verdict_with_stages(self._console, stored)
            return
        if not self._headed:
            print_heading(self._console)
            self._headed = True
        print_verdict(self._console, stored)

    @cached_property
    def _console(self) -> "Console":
        return make_console()


def say(message: str) -> None:
    _write_line(f"eval-producer: {message}", sys.stderr)


def _place(stream_id: str) -> tuple[int, int, int]:
    """By time, and then by number: as texts, -10 stands before -2."""
    partition, _, entry_id = stream_id.rpartition("/")
    milliseconds, _, sequence = entry_id.partition("-")
    return int(milliseconds), int(sequence), int(partition or 0)


def _write_line(text: str, stream: TextIO) -> None:
    """Through `sys`, where a progress bar makes way; click.echo would write past it."""
    stream.write(f"{text}\n")
    stream.flush()
