"""`POST /run`: whole conversations in, pass@k, pass^k and tool correctness out, as AWS Lambda answers it."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from http import HTTPStatus
from typing import Annotated, Any

import structlog
from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect

from eval_worker.doors.agentic_run.refusal import RunRefusedError
from eval_worker.doors.agentic_run.request import Connector, Judging
from eval_worker.doors.agentic_run.run import AgenticRuns, Finished, bug
from eval_worker.doors.http_api.admission import Admission
from eval_worker.doors.http_api.body import Bodies
from eval_worker.doors.http_api.hang_up import while_connected
from eval_worker.doors.http_api.replies import JSON, refused_parameter
from eval_worker.doors.http_api.retry_after import retry_after
from eval_worker.doors.http_api.run_documented import run_body, run_responses
from eval_worker.doors.http_api.wire import NoQuery
from eval_worker.telemetry.metrics import JudgingMetrics

log = structlog.get_logger()

RUN = "/run"


class RunRoutes:
    """A run waits for its turn among all that is judged, and ends when its client hangs up."""

    def __init__(self, runs: AgenticRuns, bodies: Bodies, admission: Admission, metrics: JudgingMetrics) -> None:
        self._runs = runs
        self._bodies = bodies
        self._admission = admission
        self._metrics = metrics

    def add_to(self, router: APIRouter) -> None:
        router.add_api_route(
            RUN,
            self.run,
            methods=["POST"],
            summary="Judge whole conversations",
            responses=run_responses(),
            openapi_extra=run_body(),
            route_class_override=RunRoute,
        )

    async def run(self, request: Request, _query: Annotated[NoQuery, Query()]) -> Response:
        """The connector's model judges every interaction; what it could not judge is unknown, never wrong."""
        self._admission.check_room()
        async with self._bodies.read(request) as body:
            connector, judging = await asyncio.to_thread(self._runs.read, body)
            finished = await while_connected(request, self._in_turn(connector, judging))
        self._metrics.observe_stages(one.stage for one in finished.report.interactions)
        return await asyncio.to_thread(_as_json, finished)

    async def _in_turn(self, connector: Connector, judging: Judging) -> Finished:
        async with self._admission.turn():
            return await self._runs.run(connector, judging)


class RunRoute(APIRoute):
    """Gives every error of this route the form that is documented for runs, those of all routes included."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def answer_in_its_form(request: Request) -> Response:
            try:
                return await answer(request)
            except ClientDisconnect:
                raise
            except Exception as error:  # noqa: BLE001 (what is none of the known is logged as a bug)
                return _refused(error)

        return answer_in_its_form


def _refused(error: Exception) -> Response:
    match error:
        case RunRefusedError():
            refusal = error
        case HTTPException():
            return _error_reply(RunRefusedError(error.detail, status=HTTPStatus(error.status_code)), error.headers)
        case RequestValidationError():
            refusal = RunRefusedError(refused_parameter(error))
        case _:
            log.error("a run hit a bug", exc_info=error)
            refusal = bug()
    return _error_reply(refusal, None if refusal.retry_after is None else retry_after(refusal.retry_after))


def _error_reply(refusal: RunRefusedError, headers: Mapping[str, str] | None) -> Response:
    body = json.dumps(refusal.as_response(), ensure_ascii=False).encode(errors="backslashreplace")
    return Response(body, refusal.status, headers, JSON)


def _as_json(finished: Finished) -> Response:
    return Response(json.dumps(finished.report.as_response(), ensure_ascii=False, allow_nan=False), media_type=JSON)
