"""The process around the API: listen, serve, stop on signals, drain, leave."""

import asyncio
import logging
import resource
import signal
import socket
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import structlog
import uvicorn

from eval_worker import __version__
from eval_worker.doors.http_api.api import Api
from eval_worker.doors.http_api.app import build_api
from eval_worker.doors.http_api.connection import BoundedConnection, ConnectionBounds
from eval_worker.doors.http_api.dashboard.app import build_dashboard
from eval_worker.doors.listening import BACKLOG, listen, url_of, warn_if_open_to_all
from eval_worker.errors import RedisUnavailableError
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.process_exit import leave
from eval_worker.redis_connection import address
from eval_worker.settings import Settings
from eval_worker.stream.sending import UNTRACED, SendObserver
from eval_worker.telemetry.logs import configure_logs
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import read_judges
from eval_worker.wiring.tracing import open_tracing

if TYPE_CHECKING:
    from eval_worker.telemetry.tracing.tracing import Tracing

log = structlog.get_logger()

WHERE = "API_HOST, EVAL_AGENT_API_PORT"
MOST_CONNECTIONS = 1_000
LAST_SPANS_SECONDS = 1.0
LARGEST_HEAD = 64 * 1024


def run_api(settings: Settings, *, make_model: Callable[[Settings, JudgeSet], JudgeModel] = build_judge_model) -> None:
    """Serve until SIGTERM or SIGINT, then drain and return. `make_model` may bring a judge model of your own.

    Raises:
        SettingsError: a setting is wrong, there are no credentials, the port is taken.
    """
    _configure_logs(settings)
    judges = read_judges(settings)
    model = make_model(settings, judges)
    judging = {"model": model.name, "judges": len(judges.judges)}
    tracing = open_tracing(settings, "eval-worker-api")
    observer = _send_observer(tracing, settings)
    try:
        _listen_and_serve(settings, lambda: build_api(settings, judges, model, send_observer=observer), judging)
    finally:
        model.close()
        if tracing is not None:
            tracing.close(LAST_SPANS_SECONDS)


def _send_observer(tracing: "Tracing | None", settings: Settings) -> SendObserver:
    return UNTRACED if tracing is None else tracing.sending(settings.redis_stream_name)


def run_dashboard(settings: Settings) -> None:
    """Serve the page and its data alone, as `run_api` serves; no judge model is made.

    Raises:
        SettingsError: a setting is wrong, the port is taken.
    """
    _configure_logs(settings)
    _listen_and_serve(settings, lambda: build_dashboard(settings), {})


def _configure_logs(settings: Settings) -> None:
    configure_logs(settings.log_format, settings.log_level, settings.secrets)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # its warnings are about what clients send


def _listen_and_serve(settings: Settings, make: Callable[[], Api], judging: Mapping[str, Any]) -> None:
    with listen(settings.api_host, settings.eval_agent_api_port, settings=WHERE) as listening:
        asyncio.run(_serve(settings, make, judging, listening))


async def _serve(
    settings: Settings, make: Callable[[], Api], judging: Mapping[str, Any], listening: socket.socket
) -> None:
    api = make()
    try:
        warn_if_open_to_all(settings.api_host, settings.accepted_api_keys)
        await _look_for_redis(api, settings)
        server = ApiServer(api, settings.drain_seconds)
        _stop_on_signals(server)
        log.info("ready", **_described(settings, judging, listening))
        await server.serve(sockets=[listening])
        log.info("stopped")
    finally:
        await api.close()


class ApiServer(uvicorn.Server):
    """uvicorn, with signals and drain as the worker has them."""

    def __init__(
        self, api: Api, drain_seconds: float, bounds: ConnectionBounds | None = None, keep_alive_seconds: int = 5
    ) -> None:
        self._drain = api.drain
        connection = partial(BoundedConnection, bounds or ConnectionBounds(most_connections()))
        config = uvicorn.Config(
            api.app,
            http=cast("Any", connection),  # all that uvicorn does with the class is to call it
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            headers=[("X-Content-Type-Options", "nosniff")],
            backlog=BACKLOG,
            timeout_keep_alive=keep_alive_seconds,
            timeout_graceful_shutdown=cast("int", drain_seconds),  # a fraction does as well
            h11_max_incomplete_event_size=LARGEST_HEAD,
        )
        super().__init__(config)

    def stop(self) -> None:
        """Accept nothing more, finish what is in flight within the drain's time."""
        self._drain.begun = True
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to the process: uvicorn would raise them again once it has drained."""
        yield


def most_connections() -> int:
    """Half of the files that the process may have open: the other half is for calls to the model."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(soft // 2, MOST_CONNECTIONS)


def _stop_on_signals(server: ApiServer) -> None:
    """The first signal drains; a second one ends the process at once."""
    loop = asyncio.get_running_loop()

    def on_signal(number: signal.Signals) -> None:
        if server.should_exit:
            log.error("stopped at once; what was in flight is not answered", signal=number.name)
            leave(128 + number)
        log.info("stopping", signal=number.name)
        server.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal, number)


async def _look_for_redis(api: Api, settings: Settings) -> None:
    """Say at once what would be found out later. Answers are judged all the same."""
    if api.dashboard is None:
        return
    try:
        await api.dashboard.check()
    except RedisUnavailableError as error:
        log.warning("events and results can't be served for now", problem=str(error), redis=address(settings))


def _described(settings: Settings, judging: Mapping[str, Any], listening: socket.socket) -> dict[str, Any]:
    url = url_of(listening)
    return {
        "version": __version__,
        "url": url,
        "page": f"{url}/",
        "docs": f"{url}/docs",
        **({"metrics": f"{url}/metrics"} if judging else {}),
        **judging,
        "keys": len(settings.accepted_api_keys),
    }
