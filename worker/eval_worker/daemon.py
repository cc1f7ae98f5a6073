"""The process around a worker: start in order, stop on signals, leave without waiting for threads."""

import asyncio
import gc
import math
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import structlog

from eval_worker import __version__
from eval_worker.embedded import embedded_server
from eval_worker.errors import RedisUnavailableError
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.process_exit import leave
from eval_worker.redis_connection import REDIS_ERRORS, address, check_one_slot, explain, ping_or_explain
from eval_worker.settings import Settings
from eval_worker.stream.rights import refusal_of
from eval_worker.telemetry.health import HealthServer, open_health_server
from eval_worker.telemetry.logs import configure_logs
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import read_judges
from eval_worker.wiring.tracing import open_tracing
from eval_worker.wiring.worker import RunningParts, build_worker

if TYPE_CHECKING:
    from eval_worker.telemetry.tracing.tracing import Tracing

log = structlog.get_logger()

TRIES_AT_START = 3
LAST_SPANS_SECONDS = 2.0  # for the collector to take them, and no more than is left of the drain
LEAVING_SECONDS = 0.1
SECONDS_BETWEEN_TRIES = 1.0
OBJECTS_BETWEEN_COLLECTIONS = 10_000


def run_daemon(
    settings: Settings,
    *,
    embedded: bool = False,
    make_model: Callable[[Settings, JudgeSet], JudgeModel] = build_judge_model,
) -> None:
    """Run until SIGTERM or SIGINT, then drain and return. `make_model` may bring a judge model of your own.

    Raises:
        SettingsError: a setting is wrong, there are no credentials, a port is taken.
        EmbeddedServerError: the embedded server did not start.
        RedisUnavailableError: Redis can't be reached, or refuses who we are.
    """
    configure_logs(settings.log_format, settings.log_level, settings.secrets)
    check_one_slot(settings)
    judges = read_judges(settings)
    model = make_model(settings, judges)
    tracing = open_tracing(settings, "eval-worker")
    with _redis(settings, embedded=embedded) as reachable:
        asyncio.run(_serve(reachable, judges, model, tracing))


async def _serve(settings: Settings, judges: JudgeSet, model: JudgeModel, tracing: "Tracing | None") -> None:
    parts = build_worker(settings, judges, model, tracing=tracing)
    health_server: HealthServer | None = None
    last_moment = _LastMoment(settings.drain_seconds)
    try:
        await _reach_redis(parts, settings)
        health_server = _open_health_server(parts, settings)
        health_server.start()
        _stop_on_signals(parts, last_moment)
        log.info(
            "ready",
            version=__version__,
            redis=address(settings),
            stream=settings.redis_stream_name,
            **({} if len(parts.streams) == 1 else {"partitions": len(parts.streams)}),
            group=settings.redis_consumer_group,
            consumer=parts.names.consumer,
            model=model.name,
            judges=len(judges.judges),
            metrics=f"http://{settings.metrics_host}:{health_server.port}/metrics",
        )
        _spare_what_stays()
        await parts.worker.run()
        log.info("stopped")
    finally:
        if health_server is not None:
            health_server.stop()
        model.close()
        await parts.close()
        if tracing is not None:
            tracing.close(min(LAST_SPANS_SECONDS, last_moment.seconds_left))


def _spare_what_stays() -> None:
    """Keep the garbage collector from looking again and again at what lives as long as the process.

    And from looking for cycles every 700 objects, which is every few events: what they leave behind has hardly any.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)


async def _reach_redis(parts: RunningParts, settings: Settings) -> None:
    for attempt in range(1, TRIES_AT_START + 1):
        try:
            if len(parts.streams) == 1:  # of several nodes, the one that answers a PING may be the one that is gone
                await ping_or_explain(parts.client, settings)
            await _check_rights(parts, settings)
            await parts.ensure_groups()
        except RedisUnavailableError:
            if attempt == TRIES_AT_START:
                raise
            log.debug("no redis yet; trying again", redis=address(settings), attempt=attempt)
            await asyncio.sleep(SECONDS_BETWEEN_TRIES)
        except REDIS_ERRORS as error:  # a key of another type, no right to XGROUP
            raise explain(error, settings) from error
        else:
            return


async def _check_rights(parts: RunningParts, settings: Settings) -> None:
    """Better now than when an event has been judged and its outcome can't be written.

    Partitions whose node is away are waited for by their lanes, as long as another one answers.
    """
    replies = await asyncio.gather(*(each.rights.missing() for each in parts.streams), return_exceptions=True)
    away = [reply for reply in replies if isinstance(reply, REDIS_ERRORS)]
    if len(away) == len(replies):
        raise away[0] if len(away) == 1 else explain(away[0], settings)
    for reply in replies:
        if isinstance(reply, BaseException) and reply not in away:
            raise reply
        if isinstance(reply, str):
            raise RedisUnavailableError(f"Redis at {address(settings)}: {refusal_of(reply)}")


def _open_health_server(parts: RunningParts, settings: Settings) -> HealthServer:
    server = open_health_server(
        parts.health,
        parts.metrics.registry,
        settings.metrics_host,
        settings.metrics_port,
        any_free_port=not settings.was_given("metrics_port"),
    )
    if settings.metrics_port not in {0, server.port}:
        log.warning("the metrics port is taken; using a free one", taken=settings.metrics_port, port=server.port)
    return server


class _LastMoment:
    """When the process must be gone: so many seconds after it was told to stop."""

    def __init__(self, drain_seconds: float) -> None:
        self._drain_seconds = drain_seconds
        self._stopping_at = math.inf

    def begin(self) -> None:
        self._stopping_at = time.monotonic()

    @property
    def seconds_left(self) -> float:
        return self._stopping_at + self._drain_seconds - LEAVING_SECONDS - time.monotonic()


def _stop_on_signals(parts: RunningParts, last_moment: _LastMoment) -> None:
    """The first signal drains; a second one ends the process at once."""
    loop = asyncio.get_running_loop()
    stopping = False

    def on_signal(number: signal.Signals) -> None:
        nonlocal stopping
        if stopping:
            log.error("stopped at once; what was in flight is judged again after its lease", signal=number.name)
            leave(128 + number)
        stopping = True
        last_moment.begin()
        log.info("stopping", signal=number.name)
        parts.worker.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal, number)


@contextmanager
def _redis(settings: Settings, *, embedded: bool) -> Generator[Settings]:
    """Start the embedded server if asked for; yields the settings that lead to Redis."""
    if not embedded:
        yield settings
        return
    with embedded_server(settings) as server:
        log.info("embedded server started", addr=server.addr, data=str(server.data_dir))
        yield settings.model_copy(update={"redis_addr": server.addr})
