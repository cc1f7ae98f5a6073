"""The dashboard beside the API, or alone: `eval-worker api --dashboard-only`."""

import time
from collections.abc import Callable

from fastapi import APIRouter, Depends, FastAPI
from prometheus_client import CollectorRegistry

from eval_worker.doors.api_keys import ApiKeys
from eval_worker.doors.http_api.api import Api, Drain, documented_app
from eval_worker.doors.http_api.api_keys import RequireApiKey
from eval_worker.doors.http_api.dashboard.dashboard import Dashboard
from eval_worker.doors.http_api.dashboard.page_routes import PageRoutes
from eval_worker.doors.http_api.dashboard.routes import DashboardRoutes
from eval_worker.doors.http_api.known_host import RequireKnownHost
from eval_worker.doors.http_api.observed import HttpMetrics, Observed
from eval_worker.doors.http_api.openapi import complete_dashboard_openapi
from eval_worker.doors.http_api.private_route import PrivateRoute
from eval_worker.doors.http_api.replies import answer_errors
from eval_worker.doors.http_api.status_routes import add_health
from eval_worker.settings import Settings


def add_dashboard(app: FastAPI, dashboard: Dashboard | None, settings: Settings) -> None:
    """Add the page, which is open, and its data, which needs a key where there are any."""
    keys = settings.accepted_api_keys
    known_host = RequireKnownHost(settings.api_host, has_keys=bool(keys))
    need = [Depends(known_host), Depends(RequireApiKey(ApiKeys(keys)))]
    guarded = APIRouter(dependencies=need, route_class=PrivateRoute)
    DashboardRoutes(dashboard, has_keys=bool(keys)).add_to(guarded)
    PageRoutes().add_to(app.router)
    app.include_router(guarded)


def build_dashboard(settings: Settings, *, clock: Callable[[], float] = time.monotonic) -> Api:
    """Make a server of the page alone, which needs no judge model. Nothing is sent anywhere yet.

    Raises:
        SettingsError: a setting that says where Redis is can't be right.
    """
    dashboard = Dashboard(settings)
    app = documented_app()
    answer_errors(app)
    add_health(app.router)
    add_dashboard(app, dashboard, settings)
    complete_dashboard_openapi(app, keys=bool(settings.accepted_api_keys))
    observed = Observed(app, HttpMetrics(CollectorRegistry()), app.openapi()["paths"], clock)
    return Api(observed, streams=None, dashboard=dashboard, drain=Drain())
