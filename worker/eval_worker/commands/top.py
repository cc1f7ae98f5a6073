"""`eval-worker top`: verdicts, agents, judges, cost and what waits, at a glance and as they change."""

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from eval_worker.commands.redis_addr import redis_addr_option, redis_session, settings_for
from eval_worker.console.terminal import is_terminal

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from eval_worker.dashboard.figures import Figures
    from eval_worker.settings import Settings
    from eval_worker.wiring.observed_streams import ObservedStreams

POLL_SECONDS = 1.0
REDRAW_SECONDS = 0.25
_LONG = 100  # lines, where nobody's terminal is to be filled


@click.command(short_help="Show figures and what waits, as they change.")
@click.option("--once", is_flag=True, help="Print one frame and end, as in a pipe.")
@redis_addr_option
def top(*, once: bool, redis_addr: str | None) -> None:
    """Show the newest results' figures and what waits, until q is pressed."""
    settings = settings_for(redis_addr)
    asyncio.run(_once(settings) if once or not is_terminal() else _live(settings))


async def _once(settings: "Settings") -> None:
    from eval_worker.console.terminal import make_console
    from eval_worker.errors import RedisUnavailableError
    from eval_worker.wiring.observed_streams import ObservedStreams

    async with redis_session(settings) as client:
        streams = ObservedStreams(client, settings)
        await streams.read()
    if streams.problem is not None:
        raise RedisUnavailableError(streams.problem)
    console = make_console()
    console.print(_Frames(streams, settings, live=False).draw(console, height=_LONG))


async def _live(settings: "Settings") -> None:
    from rich.live import Live

    from eval_worker.console.keys import listening_for
    from eval_worker.console.terminal import make_console
    from eval_worker.stream.cancellation import cancel_and_wait
    from eval_worker.wiring.observed_streams import ObservedStreams

    quit_pressed, console = asyncio.Event(), make_console()
    async with redis_session(settings) as client:
        streams = ObservedStreams(client, settings)
        frames, reading = _Frames(streams, settings, live=True), asyncio.create_task(_keep_reading(streams))
        try:
            with Live(console=console, screen=True, auto_refresh=False) as live, listening_for("q", quit_pressed.set):
                while not (quit_pressed.is_set() or reading.done()):
                    live.update(frames.draw(console, height=console.height), refresh=True)
                    with suppress(TimeoutError):
                        await asyncio.wait_for(quit_pressed.wait(), REDRAW_SECONDS)
        finally:
            await cancel_and_wait([reading])
    if not reading.cancelled():
        reading.result()  # a bug


async def _keep_reading(streams: "ObservedStreams") -> None:
    while True:
        await streams.read()
        await asyncio.sleep(POLL_SECONDS)


class _Frames:
    """Drawn often, so that a resized terminal is soon filled; counted once a second."""

    def __init__(self, streams: "ObservedStreams", settings: "Settings", *, live: bool) -> None:
        self._streams = streams
        self._settings = settings
        self._live = live
        self._counted: tuple[int, Figures] | None = None

    def _name(self) -> str:
        count = self._settings.stream_partitions
        if count == 1:
            return self._settings.redis_result_stream
        return f"{self._settings.redis_stream_name} in {count} partitions"

    def draw(self, console: "Console", *, height: int) -> "RenderableType":
        from eval_worker.console.top import Frame, draw
        from eval_worker.redis_connection import address

        results, now = self._streams.results, time.time()
        frame = Frame(
            title=f"{self._name()} at {address(self._settings)}",
            clock=time.strftime("%H:%M:%S", time.localtime(now)),
            figures=self._figures(int(now)),
            looked_at=len(results.facts),
            entries=results.entries,
            backlog=self._streams.backlog,
            problem=self._streams.problem,
            loading=not results.reaches_back,
            live=self._live,
        )
        return draw(frame, width=console.width, height=height)

    def _figures(self, now: int) -> "Figures":
        from eval_worker.dashboard.figures import figures_of

        if self._counted is None or self._counted[0] != now:
            self._counted = (now, figures_of(tuple(self._streams.results.facts), now * 1000))
        return self._counted[1]
