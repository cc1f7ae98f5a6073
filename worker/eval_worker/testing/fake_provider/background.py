"""A fake's server in a background thread of this process."""

import asyncio
import threading
from concurrent.futures import Future

from eval_worker.testing.fake_provider.http_server import HOST, Handler, http_server


class BackgroundServer:
    """Serves between `start` and `close`, which may be called from any thread."""

    def __init__(self, handler: Handler, port: int, name: str) -> None:
        self._handler = handler
        self._wanted_port = port
        self._name = name
        self._listening: Future[int] = Future()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    def start(self) -> None:
        """Return once it listens.

        Raises:
            OSError: the port is taken.
        """
        self._listening = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name=self._name, daemon=True)
        self._thread.start()
        self._listening.result()

    def close(self) -> None:
        """Cut every connection and end the thread."""
        if self._loop and self._stop and self._thread and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    @property
    def url(self) -> str:
        if not self._listening.done():
            raise RuntimeError("the fake is not running yet: use it as a context manager")
        return f"http://{HOST}:{self._listening.result()}"

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            async with http_server(self._handler, self._wanted_port) as port:
                self._listening.set_result(port)
                await self._stop.wait()
        except OSError as error:
            self._listening.set_exception(error)
