"""The function: one invocation is one run, answered before Lambda's own time limit."""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from http import HTTPStatus
from typing import Any, Protocol

import structlog

from eval_worker.agentic.correctness import correctness_judges
from eval_worker.doors.agentic_run.connector import Connectors
from eval_worker.doors.agentic_run.refusal import RunError, RunRefusedError
from eval_worker.doors.agentic_run.run import AgenticRuns, bug
from eval_worker.doors.aws_lambda.invocation import Invocation
from eval_worker.doors.aws_lambda.reply import Reply
from eval_worker.errors import SettingsError
from eval_worker.settings import Settings, load_settings
from eval_worker.telemetry.logs import configure_logs
from eval_worker.wiring.judge_model import build_judge_model

log = structlog.get_logger()

LONGEST_RESERVE_SECONDS = 2.0
RESERVED_SHARE = 0.2
"""Of the time that is left when an invocation begins: for its reply, which may be megabytes."""


class Context(Protocol):
    """The part of Lambda's context that is used."""

    aws_request_id: str

    def get_remaining_time_in_millis(self) -> int: ...


def handler(event: object, context: Context | None = None) -> Mapping[str, Any]:
    """Answer one invocation. Clients of the model live on for the next one."""
    try:
        function = _function()
    except SettingsError as error:
        configure_logs("json", "info")
        log.error("the settings are wrong", problem=str(error))  # noqa: TRY400 (its words say all)
        problem = "the function's settings are wrong: its log says which"
        refusal = RunRefusedError(RunError.EVALUATION_FAILED, problem, status=HTTPStatus.INTERNAL_SERVER_ERROR)
        return Reply.of(refusal).as_returned(is_http=Invocation.of(event).is_http)
    return function.answer(event, context)


class RunFunction:
    """Answers invocations with runs."""

    def __init__(self, runs: AgenticRuns, clock: Callable[[], float] = time.monotonic) -> None:
        self._runs = runs
        self._clock = clock

    def answer(self, event: object, context: Context | None) -> Mapping[str, Any]:
        started = self._clock()
        invocation = Invocation.of(event)
        figures: dict[str, Any] = {}
        try:
            reply = self._run(invocation, _seconds_for(context), figures)
        except RunRefusedError as refusal:
            reply = Reply.of(refusal)
        except Exception:
            log.exception("an invocation hit a bug")
            reply = Reply.of(bug())
        returned = reply.as_returned(is_http=invocation.is_http)
        self._log(reply, figures, context, self._clock() - started)
        return returned

    def _run(self, invocation: Invocation, seconds: float, figures: dict[str, Any]) -> Reply:
        connector, judging = self._runs.read(invocation.body())
        figures.update(class_path=connector.class_path, conversations=len(judging.datasets))
        finished = asyncio.run(self._runs.run(connector, judging, seconds=seconds))
        figures.update(model=finished.model, unknown=finished.report.aggregated.unknown_conversations)
        return Reply(HTTPStatus.OK, finished.report.as_response())

    def _log(self, reply: Reply, figures: Mapping[str, Any], context: Context | None, seconds: float) -> None:
        """Say how it went in one line, without anything that was judged."""
        said = {name: reply.document[name] for name in ("error", "detail") if name in reply.document}
        request_id = context.aws_request_id if context else None
        log.info(
            "invocation",
            request_id=request_id,
            status=int(reply.status),
            ms=round(seconds * 1000, 1),
            **figures,
            **said,
        )


@cache
def _function() -> RunFunction:
    """Make what the invocations of this process share, when the first one comes."""
    settings = load_settings()
    _log_as_lines(settings)
    own_model = cache(partial(build_judge_model, settings, correctness_judges()))
    runs = AgenticRuns(
        Connectors(settings, own_model),
        concurrency=settings.concurrency,
        judge_timeout_seconds=settings.judge_timeout_seconds,
        secrets=settings.secrets,
    )
    return RunFunction(runs)


def _log_as_lines(settings: Settings) -> None:
    """Write JSON lines unless LOG_FORMAT was set. The runtime's own handler would show what ours hides."""
    logging.getLogger().handlers.clear()
    log_format = settings.log_format if settings.was_given("log_format") else "json"
    configure_logs(log_format, settings.log_level, settings.secrets)


def _seconds_for(context: Context | None) -> float:
    if context is None:
        return math.inf
    left = context.get_remaining_time_in_millis() / 1000
    return left - min(LONGEST_RESERVE_SECONDS, left * RESERVED_SHARE)
