"""`python -m benchmarks.limits.raw_requests URL CONNECTIONS SECONDS`: what the fake Bedrock itself can answer.

Converse requests written to sockets as bytes, made beforehand, with no client around them.
"""

import asyncio
import json
import sys
from urllib.parse import quote, urlsplit

from benchmarks.figures import Throughput
from benchmarks.limits.converse_threads import requests
from benchmarks.limits.timing import Stopwatch, tell

_WARM_UP_SECONDS = 0.5
_HEAD_END = b"\r\n\r\n"


async def ask(url: str, connections: int, seconds: float) -> Throughput:
    place = urlsplit(url)
    assert place.hostname is not None
    messages = [_message(place.netloc, dict(request)) for request in requests()]
    answered = [0] * connections
    callers = [
        asyncio.create_task(_call(place.hostname, place.port or 80, messages, answered, number))
        for number in range(connections)
    ]
    await asyncio.sleep(_WARM_UP_SECONDS)
    stopwatch = Stopwatch(sum(answered))
    await asyncio.sleep(seconds)
    throughput = stopwatch.throughput(sum(answered))
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    return throughput


async def _call(host: str, port: int, messages: list[bytes], answered: list[int], number: int) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    while True:
        writer.write(messages[(number + answered[number]) % len(messages)])
        head = await reader.readuntil(_HEAD_END)
        lines = head.lower().split(b"\r\n")
        length = next(int(line.partition(b":")[2]) for line in lines if line.startswith(b"content-length:"))
        await reader.readexactly(length)
        answered[number] += 1


def _message(host: str, request: dict[str, object]) -> bytes:
    path = f"/model/{quote(str(request.pop('modelId')), safe='')}/converse"
    body = json.dumps(request).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + _HEAD_END + body


if __name__ == "__main__":
    tell(asyncio.run(ask(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))))
