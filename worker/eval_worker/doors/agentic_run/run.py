"""The run itself: request -> connector -> conversations judged -> the documented response."""

import asyncio
import math
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

import structlog

from eval_worker.agentic.report import AgenticReport
from eval_worker.doors.agentic_run.connector import Connectors, OpenedModel
from eval_worker.doors.agentic_run.refusal import RunError, RunRefusedError
from eval_worker.doors.agentic_run.request import Connector, Judging, read_connector, read_document, read_judging
from eval_worker.evaluation.judges.asker import AttemptObserver, Patience, ignore_attempt
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.redaction import without_secrets
from eval_worker.wiring.judging import build_conversation_pipeline

log = structlog.get_logger()

RETRY_SECONDS = 1.0
_TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Finished:
    """The figures, and what they were made with."""

    report: AgenticReport
    model: str


class AgenticRuns:
    """Runs requests, each by itself. `secrets` are the server's own, which no text may show."""

    def __init__(
        self,
        connectors: Connectors,
        *,
        concurrency: int,
        judge_timeout_seconds: float,
        secrets: Collection[str] = (),
        on_attempt: AttemptObserver = ignore_attempt,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connectors = connectors
        self._concurrency = concurrency
        self._judge_timeout_seconds = judge_timeout_seconds
        self._secrets = frozenset(secrets)
        self._on_attempt = on_attempt
        self._clock = clock

    def read(self, body: bytes) -> "tuple[Connector, Judging]":
        """Check a whole request without importing or making anything that it names.

        Raises:
            RunRefusedError: naming what is wrong.
        """
        document = read_document(body)
        connector = read_connector(document)
        self._connectors.check(connector.class_path)
        return connector, read_judging(document)

    async def run(self, connector: Connector, judging: Judging, *, seconds: float = math.inf) -> Finished:
        """Judge every interaction, in `seconds` at most: what was not judged by then is unknown.

        Raises:
            RunRefusedError: the connector can't be made, or no conversation could be judged.
        """
        ends_at = self._clock() + seconds
        structured = judging.config.use_structured_output
        opened = await asyncio.to_thread(partial(self._connectors.open, connector, structured_output=structured))
        patience = Patience(self._judge_timeout_seconds, seconds_left=lambda: ends_at - self._clock())
        pipeline = build_conversation_pipeline(
            opened.model, patience, concurrency=self._concurrency, on_attempt=self._on_attempt
        )
        report = await pipeline.report(judging.datasets, judging.criteria)
        if judging.config.verbose:
            _log_judgements(report)
        self._check_known(report, opened)
        return Finished(report, opened.model.name)

    def _check_known(self, report: AgenticReport, opened: OpenedModel) -> None:
        """Refuse to call it figures where no conversation is known: no verdict is made of an outage."""
        if report.aggregated.total_conversations > 0:
            return
        failure = next(filter(None, map(report.failure_of, (FailureKind.OUTAGE, FailureKind.TRANSIENT))), None)
        failure = failure or report.failure_of(FailureKind.PERMANENT)
        if failure is None:
            raise AssertionError("a conversation is unknown only where a judgement failed")
        said = without_secrets(failure.message, self._secrets | opened.secrets)
        raise _refusal_for(failure, f"no conversation could be judged: {failure.code}: {said}", opened)


def bug() -> RunRefusedError:
    """Return what callers are told of an exception, which the log has."""
    problem = "internal error: the server's log says more"
    return RunRefusedError(RunError.EVALUATION_FAILED, problem, status=HTTPStatus.INTERNAL_SERVER_ERROR)


def _refusal_for(failure: ModelFailure, detail: str, opened: OpenedModel) -> RunRefusedError:
    """Say whose failure it is: a refused key is the caller's where it was the caller's key."""
    refused = partial(RunRefusedError, RunError.EVALUATION_FAILED, detail)
    if failure.kind is FailureKind.PERMANENT:
        return refused(status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if failure.kind is FailureKind.OUTAGE and opened.callers_own:
        return refused(status=HTTPStatus.BAD_REQUEST)
    late = failure.code == _TIMEOUT
    status = HTTPStatus.GATEWAY_TIMEOUT if late else HTTPStatus.SERVICE_UNAVAILABLE
    return refused(status=status, retry_after=max(failure.retry_after or 0, RETRY_SECONDS))


def _log_judgements(report: AgenticReport) -> None:
    for one in report.interactions:
        log.info("judged", session_id=one.session_id, qa_id=one.qa_id, score=one.stage.score, reason=one.stage.reason)
