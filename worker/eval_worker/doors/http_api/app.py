"""The app: routes around an evaluator, and what all of them have in common."""

import time
from collections.abc import Callable
from functools import partial

from fastapi import APIRouter, Depends

from eval_worker.doors.agentic_run.connector import Connectors
from eval_worker.doors.agentic_run.run import AgenticRuns
from eval_worker.doors.api_keys import ApiKeys
from eval_worker.doors.http_api.admission import Admission
from eval_worker.doors.http_api.api import Api, Drain, documented_app
from eval_worker.doors.http_api.api_keys import RequireApiKey
from eval_worker.doors.http_api.body import BODY_SECONDS, Bodies
from eval_worker.doors.http_api.dashboard.app import add_dashboard
from eval_worker.doors.http_api.dashboard.dashboard import Dashboard
from eval_worker.doors.http_api.documented import errors
from eval_worker.doors.http_api.evaluation_routes import EvaluationRoutes
from eval_worker.doors.http_api.event_reader import EventReader
from eval_worker.doors.http_api.event_streams import EventStreams
from eval_worker.doors.http_api.known_host import RequireKnownHost
from eval_worker.doors.http_api.observed import HttpMetrics, Observed
from eval_worker.doors.http_api.openapi import complete_openapi
from eval_worker.doors.http_api.own_site import RefuseOtherSites
from eval_worker.doors.http_api.private_route import PrivateRoute
from eval_worker.doors.http_api.replies import answer_errors
from eval_worker.doors.http_api.run_routes import RunRoutes
from eval_worker.doors.http_api.status_routes import StatusRoutes
from eval_worker.doors.http_api.stream_routes import StreamRoutes
from eval_worker.doors.listening import is_loopback
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.evaluator import Evaluator
from eval_worker.redaction import without_secrets
from eval_worker.settings import Settings
from eval_worker.stream.sending import UNTRACED, SendObserver
from eval_worker.telemetry.circuit import observe_circuit
from eval_worker.telemetry.metrics import JudgingMetrics
from eval_worker.wiring.asking import memory_cache
from eval_worker.wiring.judging import begin_metrics, build_evaluator


def build_api(
    settings: Settings,
    judges: JudgeSet,
    model: JudgeModel,
    *,
    clock: Callable[[], float] = time.monotonic,
    body_seconds: float = BODY_SECONDS,
    send_observer: SendObserver = UNTRACED,
) -> Api:
    """Make the API around a judge model. Nothing is sent anywhere yet.

    Raises:
        SettingsError: a setting that says where Redis is can't be right.
    """
    metrics, drain = JudgingMetrics(), Drain()
    http_metrics = HttpMetrics(metrics.registry)
    redact = partial(without_secrets, known=settings.secrets)
    evaluator = _observed_evaluator(settings, judges, model, metrics)
    streams = EventStreams.where_configured(settings, send_observer)
    admission = Admission(at_once=settings.concurrency, waiting=settings.api_waiting)
    metrics.judging.set_function(lambda: admission.inside)
    begin_metrics(metrics, settings, judges)
    metrics.describe(model=model.name, judges_digest=judges.digest)
    bodies = Bodies(max_bytes=settings.max_event_bytes, seconds=body_seconds)
    http_metrics.body_bytes.set_function(lambda: bodies.held_bytes)
    events = EventReader(bodies, settings.max_event_bytes)

    def not_ready() -> str | None:
        problem = "draining" if drain.begun else evaluator.what_is_wrong()
        return problem and (_in_short(problem) if settings.accepted_api_keys else redact(problem))

    status = StatusRoutes(judges, metrics.registry, not_ready)
    guarded = _guarded(settings)
    EvaluationRoutes(evaluator, events, admission, metrics, redact).add_to(guarded)
    RunRoutes(_build_runs(settings, judges, model, metrics), bodies, admission, metrics).add_to(guarded)
    StreamRoutes(streams, events).add_to(guarded)
    status.add_to(guarded)
    app = documented_app()
    answer_errors(app)
    status.add_open(app.router)
    app.include_router(guarded)
    dashboard = None if streams is None else Dashboard(settings)
    add_dashboard(app, dashboard, settings)
    complete_openapi(app, judges.names, keys=bool(settings.accepted_api_keys))
    paths = app.openapi()["paths"]
    http_metrics.begin(paths)
    return Api(Observed(app, http_metrics, paths, clock), streams, dashboard, drain)


def _guarded(settings: Settings) -> APIRouter:
    """Make the router of all that costs or tells something.

    Where only this machine is let in, a name that strangers may own was made to lead here. On other addresses a server
    without keys serves anybody, by whatever name.
    """
    keys, host = settings.accepted_api_keys, settings.api_host
    guards = [Depends(RefuseOtherSites(has_keys=bool(keys))), Depends(RequireApiKey(ApiKeys(keys)))]
    if is_loopback(host):
        guards.insert(0, Depends(RequireKnownHost(host, has_keys=bool(keys))))
    return APIRouter(dependencies=guards, responses=errors(403), route_class=PrivateRoute)


def _observed_evaluator(settings: Settings, judges: JudgeSet, model: JudgeModel, metrics: JudgingMetrics) -> Evaluator:
    return build_evaluator(
        settings,
        judges,
        model,
        on_attempt=metrics.observe_attempt,
        on_circuit=observe_circuit(metrics),
        on_usage=metrics.observe_cost,
        cache=memory_cache(settings),
    )


def _build_runs(settings: Settings, judges: JudgeSet, model: JudgeModel, metrics: JudgingMetrics) -> AgenticRuns:
    """A run asks as many questions at once as an event's judges do."""
    return AgenticRuns(
        Connectors(settings, lambda: model),
        concurrency=len(judges.judges),
        judge_timeout_seconds=settings.judge_timeout_seconds,
        secrets=settings.secrets,
        on_attempt=metrics.observe_attempt,
    )


def _in_short(problem: str) -> str:
    """What those without a key may know: a provider's own words may name an account."""
    return ": ".join(problem.split(": ")[:2])
