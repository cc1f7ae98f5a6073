"""A batch from its plan to its exit code: take stock of what was done before, judge the rest, sum it all up."""

import asyncio
import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import structlog

from eval_worker.bulk import PATIENCE_SECONDS
from eval_worker.doors.batch.ending import ThisRun, exit_code, say_how_it_ended
from eval_worker.doors.batch.fingerprint import take_fingerprint
from eval_worker.doors.batch.places import open_places
from eval_worker.doors.batch.plan import BatchPlan
from eval_worker.doors.batch.progress import showing_progress
from eval_worker.doors.batch.result_table import write_result_table
from eval_worker.doors.batch.run import BatchRun, Limits
from eval_worker.doors.batch.tally import Tally
from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.evaluation.prechecks import PRECHECK_NAMES
from eval_worker.settings import Settings
from eval_worker.tables.counting import count_rows
from eval_worker.tables.reading import STANDARD_STREAM, check_readable, read_rows
from eval_worker.tables.writing import check_writable
from eval_worker.telemetry.circuit import log_circuit
from eval_worker.telemetry.logs import configure_logs
from eval_worker.wiring.asking import memory_cache
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import build_evaluator, read_judges

log = structlog.get_logger()

_ROWS_AT_ONCE = 64


def run_batch(plan: BatchPlan, settings: Settings) -> int:
    """Judge the input and return the exit code.

    Raises:
        SettingsError: it can't start as it was told to.
        ModelUnavailableError: the model stayed away; what was judged is kept.
        EvalWorkerError: a file can't be read or written any further.
    """
    plan.check()
    if plan.output_file is not None:
        check_writable(plan.output_file)
    if plan.input != STANDARD_STREAM:
        check_readable(plan.input, max_bytes=settings.max_event_bytes)
    judges = read_judges(settings)
    model = build_judge_model(settings, judges)
    try:
        return Batch(plan, settings, judges, model).run()
    finally:
        model.close()


class Batch:
    def __init__(
        self,
        plan: BatchPlan,
        settings: Settings,
        judges: JudgeSet,
        model: JudgeModel,
        *,
        clock: Callable[[], float] = time.monotonic,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._plan = plan
        self._settings = settings
        self._judges = judges
        self._model = model
        self._clock = clock
        self._patience_seconds = patience_seconds
        self._tally = Tally()

    def run(self) -> int:
        plan, begun = self._plan, self._clock()
        fingerprint = take_fingerprint(plan, self._settings, model=self._model.name, judges_digest=self._judges.digest)
        with open_places(plan, fingerprint, self._tally) as places:
            done_before = self._tally.lines
            with self._kept_whatever_happens(), showing_progress(count_rows(plan.input), self._tally) as progress:
                # Here, where stderr is what keeps clear of the bar.
                configure_logs(self._settings.log_format, self._settings.log_level, self._settings.secrets)
                evaluator = build_evaluator(
                    self._settings,
                    self._judges,
                    self._model,
                    on_circuit=log_circuit,
                    cache=memory_cache(self._settings),
                )
                run = BatchRun(evaluator, places, self._tally, progress, self._limits())
                rows = read_rows(plan.input, max_bytes=self._settings.max_event_bytes)
                at_once = 1 if plan.input == STANDARD_STREAM else _ROWS_AT_ONCE
                asyncio.run(run.run(rows, rows_at_once=at_once, in_order=plan.in_order))
        if run.stopped_by is None:
            self._write_table()
        this_run = ThisRun(self._tally.lines - done_before, self._clock() - begun, resumed=done_before > 0)
        self._write_summary(this_run, complete=run.stopped_by is None)
        say_how_it_ended(plan, self._tally, this_run, run.stopped_by)
        return exit_code(plan, self._tally, run.stopped_by)

    def _limits(self) -> Limits:
        return Limits(
            workers=self._settings.concurrency,
            max_bytes=self._settings.max_event_bytes,
            max_tries=self._settings.max_deliveries,
            drain_seconds=self._settings.drain_seconds,
            patience_seconds=self._patience_seconds,
        )

    @contextmanager
    def _kept_whatever_happens(self) -> Generator[None]:
        """Say with every error how to go on after it; settings that are wrong are to be put right first."""
        try:
            yield
        except EvalWorkerError as error:
            if self._plan.is_resumable and not (self._plan.quiet or isinstance(error, SettingsError)):
                raise type(error)(f"{error}; what was judged is kept: --resume goes on with it") from error
            raise

    def _write_table(self) -> None:
        output, results = self._plan.output_file, self._plan.results_file
        if output is None or results is None or output == results:
            return
        names = (*PRECHECK_NAMES, *(judge.stage_name for judge in self._judges.judges))
        interaction, conversations = self._settings.results_include_interaction, self._tally.conversations > 0
        write_result_table(output, results, names, with_interaction=interaction, with_conversations=conversations)

    def _write_summary(self, this_run: ThisRun, *, complete: bool) -> None:
        if self._plan.summary is None:
            return
        document: dict[str, Any] = {
            "complete": complete,
            **self._tally.as_document(),
            "model": self._model.name,
            "judges_digest": self._judges.digest,
            "this_run": this_run.as_document(),
        }
        try:
            self._plan.summary.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            problem = f"--summary {self._plan.summary} can't be written: {error.strerror or error}"
            raise EvalWorkerError(problem) from error
