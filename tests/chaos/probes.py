"""What an orchestrator's probes see of a worker that was told to stop."""

import asyncio
import json
import time
from dataclasses import dataclass

INTERVAL_SECONDS = 0.005
LONGEST_SECONDS = 60.0
MOST_SILENT_LOOKS = 50  # within which a drain may be over; on a slow machine they take longer


@dataclass(slots=True)
class Drain:
    """`unready_after`: seconds from the signal until /readyz said that it drains; None: it never did.

    `looks`: how often it answered from the signal on; one that has nothing in flight may leave between two.
    `in_flight` is how many events the worker still held then. `ready_again` and `dead` are what must never be seen.
    """

    worker: str
    unready_after: float | None = None
    looks: int = 0
    in_flight: int = 0
    ready_again: bool = False
    dead: bool = False

    def problems(self) -> list[str]:
        wrong = {
            "without /readyz ever having said that it drains": self.unready_after is None
            and self.looks > MOST_SILENT_LOOKS,
            "and said meanwhile that it was ready again": self.ready_again,
            "and said meanwhile on /healthz that it was dead": self.dead,
        }
        return [f"{self.worker} drained {what}" for what, is_so in wrong.items() if is_so]


async def watch_drain(worker: str, address: str) -> Drain:
    """Ask /readyz and /healthz, over and over, from the signal until nobody answers any more."""
    drain, began = Drain(worker), time.monotonic()
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            while True:
                await _look(drain, address, began)
                await asyncio.sleep(INTERVAL_SECONDS)
    except (OSError, EOFError):  # it has left
        return drain


async def _look(drain: Drain, address: str, began: float) -> None:
    status, body = await _get(address, "/readyz")
    if drain.unready_after is not None:
        drain.ready_again |= status == 200
    elif status != 200 and json.loads(body)["reason"] == "draining":
        drain.unready_after = time.monotonic() - began
        drain.in_flight = _figure(await _get(address, "/metrics"), "eval_in_flight")
    status, _ = await _get(address, "/healthz")
    drain.dead |= status != 200
    drain.looks += 1


def _figure(scraped: tuple[int, bytes], name: str) -> int:
    lines = scraped[1].decode().splitlines()
    return next(int(float(line.split()[1])) for line in lines if line.startswith(f"{name} "))


async def _get(address: str, path: str) -> tuple[int, bytes]:
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        return int(head.split()[1]), await reader.read()
    finally:
        writer.close()
