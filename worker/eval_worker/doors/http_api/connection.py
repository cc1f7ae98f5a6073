"""One client's connection. uvicorn waits for ever for a head, for what is left of a body, and for a slow reader."""

import asyncio
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from eval_worker.doors.http_api.replies import JSON, error_body


@dataclass(frozen=True, slots=True)
class ConnectionBounds:
    """How many connections there may be, and how long a client may keep one of them waiting."""

    connections: int = 1_000
    head_seconds: float = 10
    leftover_seconds: float = 10
    write_seconds: float = 30


class BoundedConnection(H11Protocol):
    """Cuts off clients that trickle. A body that is wanted has a deadline of its own, where it is read."""

    def __init__(self, bounds: ConnectionBounds, **given: Any) -> None:
        super().__init__(**given)
        self._bounds = bounds
        self._owed: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if len(self.connections) > self._bounds.connections:
            self._refuse(503, "too many connections: try again in a moment")
        else:
            self._watch_client()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_client()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch_client()

    def connection_lost(self, exc: Exception | None) -> None:
        self._owed = _stopped(self._owed)
        self._unread = _stopped(self._unread)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self._bounds.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._unread = _stopped(self._unread)
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, f"{msg.rstrip('.')}: it can't be read as HTTP/1.1")

    def _watch_client(self) -> None:
        """Give the client so long from when it begins to owe us something, however often it sends a byte of it."""
        seconds = self._seconds_to_wait()
        if seconds is None:
            self._owed = _stopped(self._owed)
        elif self._owed is None:
            self._owed = self.loop.call_later(seconds, self._cut_off)

    def _seconds_to_wait(self) -> float | None:
        state = self.conn.their_state
        if state is h11.IDLE:  # between requests uvicorn's own keep-alive timer runs
            return self._bounds.head_seconds if self._is_new or self._has_part_of_head else None
        answered = state is h11.SEND_BODY and self.cycle.response_complete
        return self._bounds.leftover_seconds if answered else None

    @property
    def _is_new(self) -> bool:
        return not self.cycle

    @property
    def _has_part_of_head(self) -> bool:
        return bool(self.conn.trailing_data[0])

    def _cut_off(self) -> None:
        self._owed = None
        if self.conn.their_state is h11.IDLE and self._has_part_of_head:
            self._refuse(408, f"the request's head did not come within {self._bounds.head_seconds:g} s")
        else:
            self.transport.abort()

    def _refuse(self, status: int, problem: str) -> None:
        """Answer without the app, and hang up."""
        if not self._is_new:  # the app may be at work on what can't be read on
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.transport.is_closing() or self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.abort()
            return
        body = error_body(problem)
        headers = [("content-type", JSON), ("content-length", str(len(body))), ("connection", "close")]
        for event in (h11.Response(status_code=status, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event))
        self.transport.close()


def _stopped(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
