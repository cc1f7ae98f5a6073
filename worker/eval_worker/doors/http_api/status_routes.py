"""`/api/v1/health`, `/api/v1/ready`, `/api/v1/judges` and `/metrics`: what the server says of itself."""

from collections.abc import Callable
from http import HTTPStatus

from fastapi import APIRouter, HTTPException, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from eval_worker import __version__
from eval_worker.doors.http_api.documented import errors, ok
from eval_worker.doors.http_api.retry_after import retry_after
from eval_worker.doors.http_api.wire import HealthReply, JudgeReply, JudgesReply, ReadyReply
from eval_worker.evaluation.judges.definition import JudgeSet


class StatusRoutes:
    """`not_ready` says why no event would be judged now."""

    def __init__(self, judges: JudgeSet, registry: CollectorRegistry, not_ready: Callable[[], str | None]) -> None:
        self._judges = JudgesReply(judges=[JudgeReply.of(judge) for judge in (*judges.judges, *judges.disabled)])
        self._registry = registry
        self._not_ready = not_ready

    def add_open(self, router: APIRouter) -> None:
        """Add what probes ask for, who have no key."""
        add_health(router)
        router.add_api_route(
            "/api/v1/ready",
            self.ready,
            methods=["GET"],
            summary="Would it judge now?",
            response_model=ReadyReply,
            responses={
                **ok(ReadyReply, "It judges.", {"status": "ready"}),
                **errors(500, 503, s503="The model is paused, or the server is stopping."),
            },
        )

    def add_to(self, router: APIRouter) -> None:
        example = self._judges.model_dump()
        router.add_api_route(
            "/api/v1/judges",
            self.judges,
            methods=["GET"],
            summary="Which judges there are",
            response_model=JudgesReply,
            responses={**ok(JudgesReply, "In stage order, those not enabled last.", example), **errors(401, 500)},
        )
        router.add_api_route(
            "/metrics",
            self.metrics,
            methods=["GET"],
            summary="Figures for Prometheus",
            response_class=Response,
            responses={
                200: {"description": "As text.", "content": {"text/plain": {"schema": {"type": "string"}}}},
                **errors(401, 500),
            },
        )

    async def ready(self) -> ReadyReply:
        """Answer 503 with the reason while the model is paused or the server is stopping."""
        if problem := self._not_ready():
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, problem, retry_after())
        return ReadyReply()

    async def judges(self) -> JudgesReply:
        """What each judge asks, and under which name it can be asked alone."""
        return self._judges

    async def metrics(self) -> Response:
        """Stages, calls, tokens, requests."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


def add_health(router: APIRouter) -> None:
    router.add_api_route(
        "/api/v1/health",
        _health,
        methods=["GET"],
        summary="Does it live?",
        response_model=HealthReply,
        responses={
            **ok(HealthReply, "It serves.", {"status": "ok", "version": __version__}),
            **errors(500),
        },
    )


async def _health() -> HealthReply:
    """Answer 200 for as long as the server serves."""
    return HealthReply(version=__version__)
