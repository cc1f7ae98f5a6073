"""Reads request bodies: never more of one than an event may have, nor of all together than there is room for."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from fastapi import HTTPException, Request

from eval_worker.doors.http_api.retry_after import retry_after

HELD_BYTES = 64 * 1024 * 1024
BODY_SECONDS = 30.0
BYTES_PER_SECOND = 1024 * 1024  # on top of BODY_SECONDS, where MAX_EVENT_BYTES is large


@dataclass(slots=True)
class _Body:
    parts: list[bytes] = field(default_factory=list[bytes])
    size: int = 0


class Bodies:
    """What is read is counted while it comes in, and until its request is answered."""

    def __init__(self, *, max_bytes: int, held_bytes: int = HELD_BYTES, seconds: float = BODY_SECONDS) -> None:
        self._max_bytes = max_bytes
        self._most_held = max(held_bytes, 2 * max_bytes)
        self._seconds = seconds + max_bytes / BYTES_PER_SECOND
        self._held = 0

    @property
    def held_bytes(self) -> int:
        return self._held

    @asynccontextmanager
    async def read(self, request: Request) -> AsyncGenerator[bytes]:
        """Yield the whole body.

        Raises:
            HTTPException: it is too large (413), encoded (415), too slow (408), or there is no room for it now (429).
            ClientDisconnect: the client hung up before its end.
        """
        self._check_headers(request)
        body = _Body()
        try:
            await self._receive(request, body)
            yield b"".join(body.parts)
        finally:
            self._held -= body.size

    async def _receive(self, request: Request, body: "_Body") -> None:
        try:
            async with asyncio.timeout(self._seconds):
                async for part in request.stream():
                    body.size += len(part)
                    self._held += len(part)
                    self._check_size(body.size)
                    body.parts.append(part)
        except TimeoutError as error:
            problem = f"payload: only {body.size} bytes of it came within {self._seconds:.0f} s"
            raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, problem) from error

    def _check_headers(self, request: Request) -> None:
        if (coding := request.headers.get("content-encoding", "identity")).lower() != "identity":
            raise HTTPException(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"payload: Content-Encoding {coding[:50]!r} is not read here"
            )
        announced = request.headers.get("content-length", "")
        if announced.isascii() and announced.isdigit():
            self._check_size(int(announced))

    def _check_size(self, size: int) -> None:
        if size > self._max_bytes:
            problem = f"payload: is more than MAX_EVENT_BYTES ({self._max_bytes} bytes)"
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, problem)
        if self._held > self._most_held:
            problem = "the server is full: too much is waiting to be judged"
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, problem, retry_after())
