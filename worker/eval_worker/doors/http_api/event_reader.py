"""The event that a request carries in its body."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import HTTPException, Request

from eval_worker.assessment import AnyEvent
from eval_worker.doors.http_api.body import Bodies
from eval_worker.errors import MalformedEventError
from eval_worker.event import Event, decode_answer_event, decode_event


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """The event, and the bytes that it came as."""

    event: AnyEvent
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
            with _refused_in_words():
                event = decode_event(payload, max_bytes=self._max_bytes)
            yield ReceivedEvent(event, payload)

    @asynccontextmanager
    async def read_answer(self, request: Request) -> AsyncGenerator[Event]:
        """Yield the event where only one about a single answer will do.

        Raises:
            HTTPException: as `read` does.
        """
        async with self._bodies.read(request) as payload:
            with _refused_in_words():
                event = decode_answer_event(payload, max_bytes=self._max_bytes)
            yield event


@contextmanager
def _refused_in_words() -> Generator[None]:
    try:
        yield
    except MalformedEventError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, str(error)) from error
