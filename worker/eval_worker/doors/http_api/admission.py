"""Who is judged, who waits, and who is told to come back later."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http import HTTPStatus

from fastapi import HTTPException

from eval_worker.doors.http_api.retry_after import retry_after


class Admission:
    """So many are judged at once, so many more wait for their turn, first come first served."""

    def __init__(self, *, at_once: int, waiting: int) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._most = at_once + waiting
        self._inside = 0

    @property
    def inside(self) -> int:
        """How many wait or are being judged."""
        return self._inside

    def check_room(self) -> None:
        """Refuse before a body is read that could not be judged anyway.

        Raises:
            HTTPException: 429, full.
        """
        if self._inside >= self._most:
            problem = f"the server is full: {self._inside} events wait or are being judged"
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, problem, retry_after())

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait for a turn and have it for as long as the block runs.

        Raises:
            HTTPException: 429, full.
        """
        self.check_room()
        self._inside += 1
        try:
            async with self._slots:
                yield
        finally:
            self._inside -= 1
