"""The event that a request carries in its body."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import HTTPException, Request

from eval_worker.doors.http_api.body import Bodies
from eval_worker.errors import MalformedEventError
from eval_worker.event import Event, decode_event


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """The event, and the bytes that it came as."""

    event: Event
    payload: bytes


class EventReader:
    def __init__(self, bodies: Bodies, max_bytes: int) -> None:
        self._bodies = bodies
        self._max_bytes = max_bytes

    @asynccontextmanager
    async def read(self, request: Request) -> AsyncGenerator[ReceivedEvent]:
        """Yield the event, validated as the worker would.

        Raises:
            HTTPException: 400 naming the field, or what `Bodies.read` has against the body.
        """
        async with self._bodies.read(request) as payload:
            try:
                event = decode_event(payload, max_bytes=self._max_bytes)
            except MalformedEventError as error:
                raise HTTPException(HTTPStatus.BAD_REQUEST, str(error)) from error
            yield ReceivedEvent(event, payload)
