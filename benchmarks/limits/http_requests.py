"""`python -m benchmarks.limits.http_requests KIND URL CONNECTIONS SECONDS`: how many requests a server answers.

KIND is `converse` (the fake Bedrock) or `evaluate` (the HTTP door, and whatever stands beside it). Requests are bytes
made beforehand, written to sockets with no client around them.
"""

import asyncio
import json
import sys
from urllib.parse import quote, urlsplit

from benchmarks.events import early_exit
from benchmarks.figures import Throughput
from benchmarks.limits.converse_threads import requests
from benchmarks.limits.timing import Stopwatch, tell

_WARM_UP_SECONDS = 0.5
_HEAD_END = b"\r\n\r\n"
_OK = b"200"
_EVALUATIONS = 500


async def ask(kind: str, url: str, connections: int, seconds: float) -> Throughput:
    place = urlsplit(url)
    assert place.hostname is not None
    messages = [_message(place.netloc, path, body) for path, body in _requests(kind)]
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
        if caller.done():
            caller.result()  # raises what ended it
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    return throughput


async def _call(host: str, port: int, messages: list[bytes], answered: list[int], number: int) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    while True:
        writer.write(messages[(number + answered[number]) % len(messages)])
        status, *headers = (await reader.readuntil(_HEAD_END)).lower().split(b"\r\n")
        length = next(int(line.partition(b":")[2]) for line in headers if line.startswith(b"content-length:"))
        body = await reader.readexactly(length)
        if _OK not in status:
            raise RuntimeError(f"{status.decode()}: {body.decode()[:200]}")
        answered[number] += 1


def _requests(kind: str) -> list[tuple[str, bytes]]:
    if kind == "evaluate":
        return [("/api/v1/evaluate", early_exit(number)) for number in range(_EVALUATIONS)]
    return [
        (f"/model/{quote(str(request.pop('modelId')), safe='')}/converse", json.dumps(request).encode())
        for request in map(dict[str, object], requests())
    ]


def _message(host: str, path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + _HEAD_END + body


if __name__ == "__main__":
    tell(asyncio.run(ask(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))))
