"""Opens the files of a batch, new or where a killed run left them."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from eval_worker.doors.batch.fingerprint import Fingerprint
from eval_worker.doors.batch.in_turn import AsCompleted, InOrder, Placing
from eval_worker.doors.batch.line_files import (
    LineFile,
    LineStream,
    LineWriter,
    cut_torn_line,
    read_lines,
    standard_error,
    standard_output,
)
from eval_worker.doors.batch.line_set import LineSet
from eval_worker.doors.batch.plan import BatchPlan
from eval_worker.doors.batch.progress_file import ProgressFile, read_progress
from eval_worker.doors.batch.records import LineResult, Rejection
from eval_worker.doors.batch.tally import Tally
from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.tables.reading import STANDARD_STREAM


@dataclass(frozen=True, slots=True)
class Places:
    """Where results and rejections go, and which lines have their place already."""

    done: LineSet
    results: Placing
    rejected: LineWriter


@contextmanager
def open_places(plan: BatchPlan, fingerprint: Fingerprint, tally: Tally) -> Generator[Places]:
    """Open the files; what they hold already is counted in the tally.

    Raises:
        SettingsError: they belong to another batch.
        EvalWorkerError: they can't be written, or hold what no batch wrote.
    """
    done, waiting = LineSet(), dict[int, bytes]()
    with ExitStack() as opened:
        output = _open_output(plan, opened)
        rejected = _open_rejected(plan, opened)
        if plan.resume:
            waiting = _take_stock(plan, fingerprint, done, tally)
        progress = None
        if plan.progress_file is not None:
            progress = ProgressFile(plan.progress_file, fingerprint, waiting.values())
            opened.callback(progress.close)
        yield Places(done, InOrder(output, progress, waiting) if plan.in_order else AsCompleted(output), rejected)


def _open_output(plan: BatchPlan, opened: ExitStack) -> LineWriter:
    if plan.results_file is not None:
        return _open_file(plan.results_file, plan, opened)
    if plan.output == STANDARD_STREAM:
        return standard_output()
    return LineStream(opened.enter_context(Path(plan.output).open("wb", buffering=0)), str(plan.output))


def _open_rejected(plan: BatchPlan, opened: ExitStack) -> LineWriter:
    if plan.rejected_file is None:
        return standard_error()
    return _open_file(plan.rejected_file, plan, opened)


def _open_file(path: Path, plan: BatchPlan, opened: ExitStack) -> LineFile:
    file = LineFile(path)
    opened.callback(file.close)
    if plan.overwrite:
        file.clear()
    return file


def _take_stock(plan: BatchPlan, fingerprint: Fingerprint, done: LineSet, tally: Tally) -> dict[int, bytes]:
    """Find out which lines have their place; returns the results that wait for their turn."""
    if plan.results_file is None or plan.rejected_file is None or plan.progress_file is None:
        raise AssertionError("a stream is not gone on with")
    if not plan.progress_file.exists():
        _check_nothing_is_there(plan.results_file, plan.rejected_file, plan.progress_file)
        return {}
    begun_with, kept = read_progress(plan.progress_file)
    if difference := begun_with.difference(fingerprint):
        raise SettingsError(
            f"--resume: {plan.output} can't be gone on with: {difference}; put it back, or begin anew with --overwrite"
        )
    for path in (plan.results_file, plan.rejected_file):
        cut_torn_line(path)
    for record in read_lines(plan.results_file):
        result = _result(record, plan.results_file)
        done.add(result.line)
        tally.add(result)
    for record in read_lines(plan.rejected_file):
        rejection = _rejection(record, plan.rejected_file)
        done.add(rejection.line)
        tally.reject(rejection.field)
    waiting: dict[int, bytes] = {}
    for record in kept:
        result = _result(record, plan.progress_file)
        if result.line not in done:
            done.add(result.line)
            tally.add(result)
            waiting[result.line] = record.rstrip(b"\n")
    return waiting


def _check_nothing_is_there(*files: Path) -> None:
    """A first run may say --resume, too; but what others wrote is not appended to."""
    *written, progress = files
    for path in written:
        if path.exists() and path.stat().st_size:
            raise SettingsError(f"--resume: {path} is there, but not {progress}: begin anew with --overwrite")


def _result(record: bytes, path: Path) -> LineResult:
    try:
        return LineResult.model_validate_json(record)
    except ValidationError as error:
        raise _foreign(path) from error


def _rejection(record: bytes, path: Path) -> Rejection:
    try:
        return Rejection.model_validate_json(record)
    except ValidationError as error:
        raise _foreign(path) from error


def _foreign(path: Path) -> EvalWorkerError:
    return EvalWorkerError(f"{path} holds a line that no batch wrote: begin anew with --overwrite")
