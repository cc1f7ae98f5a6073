"""A fake as a process of its own, on 127.0.0.1."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from eval_worker.testing.fake_provider.http_server import HOST, Handler, http_server


def serve(module: str, description: str, *, level: int, make_handler: Callable[[int, float], Handler]) -> int:
    """Read the command line, print the address once it listens, then serve until SIGINT or SIGTERM.

    Args:
        module: what stands behind `python -m`.
        description: for --help.
        level: the one that calls are answered with unless --level says otherwise.
        make_handler: takes that level, and how many seconds calls take.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--latency", type=float, default=0.0, metavar="SECONDS", help="how long calls take")
    parser.add_argument("--level", type=int, default=level, help="the level that calls are answered with")
    arguments = parser.parse_args()
    try:
        asyncio.run(_serve(make_handler(arguments.level, arguments.latency), arguments.port))
    except OSError as error:
        sys.stderr.write(f"--port {arguments.port}: {error.strerror}\n")
        return 1
    return 0


async def _serve(handler: Handler, port: int) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: Ctrl-C ends it the hard way
            loop.add_signal_handler(number, stop.set)
    async with http_server(handler, port) as bound:
        sys.stdout.write(f"http://{HOST}:{bound}\n")
        sys.stdout.flush()
        await stop.wait()
