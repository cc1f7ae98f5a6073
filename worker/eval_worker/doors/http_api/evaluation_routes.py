"""`POST /api/v1/evaluate` and `/api/v1/evaluate/judge/{judge_name}`: one event in, its verdict out."""

from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response

from eval_worker.doors.http_api.admission import Admission
from eval_worker.doors.http_api.documented import (
    BODY_ERRORS,
    CONVERSATIONS,
    EVALUATED,
    GOOD_ANSWER,
    JUDGED_ALONE,
    RUBBISH,
    answer_event_body,
    any_event_body,
    errors,
    ok,
)
from eval_worker.doors.http_api.event_reader import EventReader
from eval_worker.doors.http_api.hang_up import while_connected
from eval_worker.doors.http_api.retry_after import retry_after
from eval_worker.doors.http_api.wire import JudgeQuery, NoQuery
from eval_worker.evaluation.judges.judge import NO_CONTEXT
from eval_worker.evaluation.judges.model import FailureKind
from eval_worker.evaluator import Evaluator, NotApplicable, NoVerdict
from eval_worker.redaction import Redact
from eval_worker.result import Result
from eval_worker.telemetry.metrics import JudgingMetrics

Outcome = Result | NoVerdict | NotApplicable
TIMEOUT = "timeout"


class EvaluationRoutes:
    """Each request waits for its turn, is judged while its client listens, and says why where there is no verdict."""

    def __init__(
        self, evaluator: Evaluator, events: EventReader, admission: Admission, metrics: JudgingMetrics, redact: Redact
    ) -> None:
        self._evaluator = evaluator
        self._events = events
        self._admission = admission
        self._metrics = metrics
        self._redact = redact

    def add_to(self, router: APIRouter) -> None:
        failures = errors(*BODY_ERRORS, 422, 503, 504)
        router.add_api_route(
            "/api/v1/evaluate",
            self.evaluate,
            methods=["POST"],
            summary="Judge one event: an answer, or whole conversations",
            responses={**ok(Result, "The verdict, and every stage it was made of.", EVALUATED), **failures},
            openapi_extra=any_event_body(good=GOOD_ANSWER, rubbish=RUBBISH, conversations=CONVERSATIONS),
        )
        router.add_api_route(
            "/api/v1/evaluate/judge/{judge_name}",
            self.evaluate_with,
            methods=["POST"],
            summary="Judge one answer with one judge alone",
            responses={
                **ok(Result, "The judge's score as confidence, and its verdict.", JUDGED_ALONE),
                **errors(404, s404="No such judge is enabled; the error lists those that are."),
                **failures,
            },
            openapi_extra=answer_event_body(good=GOOD_ANSWER),
        )

    async def evaluate(self, request: Request, _query: Annotated[NoQuery, Query()]) -> Response:
        """Prechecks, early exit, judges, verdict. The client that hangs up cancels its judges.

        Of conversations every interaction is compared with its reference; the result has the figures under `agentic`.
        """
        self._admission.check_room()
        async with self._events.read(request) as received:
            result = await self._in_turn(request, partial(self._evaluator.evaluate, received.event))
        self._metrics.events.inc(result.verdict)
        self._metrics.early_exits.inc(result.early_exit)
        agent = result.agent and result.agent.name
        self._metrics.observe_result(agent, result.verdict, result.confidence, partial=result.partial)
        return _as_json(result)

    async def evaluate_with(
        self,
        request: Request,
        judge_name: Annotated[str, Path(description="As `GET /api/v1/judges` names it.")],
        query: Annotated[JudgeQuery, Query()],
    ) -> Response:
        """No prechecks, no early exit: the judge's score is the confidence."""
        self._check_judge(judge_name)
        self._admission.check_room()
        async with self._events.read_answer(request) as event:
            ask = partial(self._evaluator.evaluate_with, judge_name, event, query.threshold)
            result = await self._in_turn(request, ask)
        return _as_json(result)

    def _check_judge(self, name: str) -> None:
        names = self._evaluator.judge_names
        if name not in names:
            problem = f"judge_name: there is no judge {name[:50]!r}; enabled are {', '.join(names)}"
            raise HTTPException(HTTPStatus.NOT_FOUND, problem)

    async def _in_turn(self, request: Request, judge: Callable[[], Awaitable[Outcome]]) -> Result:
        async def wait_and_judge() -> Result:
            async with self._admission.turn():
                paused = self._evaluator.what_is_wrong() is not None
                outcome = await judge()
            if isinstance(outcome, Result):
                return outcome
            raise self._refusal(outcome, paused=paused)

        result = await while_connected(request, wait_and_judge())
        self._metrics.observe_stages(result.stages)
        return result

    def _refusal(self, outcome: NoVerdict | NotApplicable, *, paused: bool) -> HTTPException:
        """Say why there is no verdict, and whose fault that is.

        Whoever is turned away because the model is paused has not waited for a deadline, whatever paused it.
        """
        if isinstance(outcome, NotApplicable):
            field = "interaction.context" if outcome.reason == NO_CONTEXT else "judge_name"
            return HTTPException(HTTPStatus.BAD_REQUEST, f"{field}: this judge can't be asked: {outcome.reason}")
        failure, said = outcome.failure, self._redact(outcome.failure.message)
        if failure.kind is FailureKind.PERMANENT:
            return HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, f"no judge could score this event: {said}")
        later = retry_after(outcome.retry_after)
        if failure.code == TIMEOUT and not paused:
            return HTTPException(HTTPStatus.GATEWAY_TIMEOUT, f"the judge model gave no answer in time: {said}", later)
        problem = f"the judge model can't be used now: {failure.code}: {said}"
        return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, problem, later)


def _as_json(result: Result) -> Response:
    return Response(result.model_dump_json(by_alias=True), media_type="application/json")
