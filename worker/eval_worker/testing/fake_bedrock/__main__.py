"""`python -m eval_worker.testing.fake_bedrock`: the fake as a process of its own, on 127.0.0.1."""

import argparse
import asyncio
import signal
import sys
from contextlib import suppress

from eval_worker.testing.fake_bedrock.replies import HIGHEST_LEVEL
from eval_worker.testing.fake_bedrock.service import Service
from eval_worker.testing.fake_provider.http_server import HOST, http_server


def main() -> int:
    """Print the address once it listens, then serve until SIGINT or SIGTERM."""
    arguments = _parser().parse_args()
    service = Service(arguments.level, arguments.latency)
    try:
        asyncio.run(_serve(service, arguments.port))
    except OSError as error:
        sys.stderr.write(f"--port {arguments.port}: {error.strerror}\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m eval_worker.testing.fake_bedrock",
        description="A fake Bedrock on 127.0.0.1. Point clients at it with AWS_ENDPOINT_URL_BEDROCK_RUNTIME and any "
        "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; steer it through /_fake.",
    )
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--latency", type=float, default=0.0, metavar="SECONDS", help="how long calls take")
    parser.add_argument("--level", type=int, default=HIGHEST_LEVEL, help="the level that calls are answered with")
    return parser


async def _serve(service: Service, port: int) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: Ctrl-C ends it the hard way
            loop.add_signal_handler(number, stop.set)
    async with http_server(service.handle, port) as bound:
        sys.stdout.write(f"http://{HOST}:{bound}\n")
        sys.stdout.flush()
        await stop.wait()


if __name__ == "__main__":
    sys.exit(main())
