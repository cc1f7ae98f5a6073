"""`POST /api/v1/events` and `GET /api/v1/results`: the streams, for those who have no Redis client."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request

from eval_worker.doors.http_api.documented import (
    BODY_ERRORS,
    CONVERSATIONS,
    EVALUATED,
    GOOD_ANSWER,
    any_event_body,
    errors,
    ok,
)
from eval_worker.doors.http_api.event_reader import EventReader
from eval_worker.doors.http_api.event_streams import EventStreams, MayHaveBeenTakenError, Wanted
from eval_worker.doors.http_api.retry_after import retry_after
from eval_worker.doors.http_api.since import start_of
from eval_worker.doors.http_api.wire import NoQuery, QueuedReply, ResultsQuery, ResultsReply
from eval_worker.errors import RedisUnavailableError
from eval_worker.trace_context import TRACEPARENT, TRACESTATE, TraceContext, read_trace_context

NOT_CONFIGURED = "no Redis is configured here: set REDIS_URL, REDIS_ADDR or REDIS_SENTINEL, or start with --redis-addr"
_QUEUED = {"id": "1700000000000-0", "event_id": "evt-001"}
_FOUND = {
    "results": [{**EVALUATED, "source_id": "1700000000000-0", "attempt": 1, "worker": "host-1"}],
    "complete": True,
}
_ELSEWHERE = {
    "s404": "No Redis is configured; the error says which setting is missing.",
    "s503": "Redis can't be used now; nothing was sent to it.",
}


class StreamRoutes:
    """Without streams both routes answer 404: nothing that comes back later would be found."""

    def __init__(self, streams: EventStreams | None, events: EventReader) -> None:
        self._given_streams = streams
        self._events = events

    def add_to(self, router: APIRouter) -> None:
        unsure = "The connection broke: the event may or may not have been taken."
        router.add_api_route(
            "/api/v1/events",
            self.send,
            methods=["POST"],
            status_code=HTTPStatus.ACCEPTED,
            summary="Put one event on the stream",
            response_model=QueuedReply,
            responses={
                **ok(QueuedReply, "It is on the stream.", _QUEUED, HTTPStatus.ACCEPTED),
                **errors(404, *BODY_ERRORS, 503, 504, s504=unsure, **_ELSEWHERE),
            },
            openapi_extra=any_event_body(good=GOOD_ANSWER, conversations=CONVERSATIONS),
        )
        router.add_api_route(
            "/api/v1/results",
            self.results,
            methods=["GET"],
            summary="Results from the stream, newest first",
            response_model=ResultsReply,
            responses={
                **ok(ResultsReply, "Newest first.", _FOUND),
                **errors(400, 401, 404, 500, 503, **_ELSEWHERE),
            },
        )

    async def send(self, request: Request, _query: Annotated[NoQuery, Query()]) -> QueuedReply:
        """Queue an event for the workers. It is sent once: sent twice it would be judged twice."""
        streams = self._streams()
        async with self._events.read(request) as received:
            try:
                entry_id = await streams.add(received.payload, _trace_context_of(request))
            except RedisUnavailableError as error:
                raise _unavailable(error) from error
            except MayHaveBeenTakenError as error:
                raise HTTPException(HTTPStatus.GATEWAY_TIMEOUT, str(error)) from error
            return QueuedReply(id=entry_id, event_id=received.event.event_id)

    async def results(self, query: Annotated[ResultsQuery, Query()]) -> ResultsReply:
        """Look back through the result stream, as far as a bounded number of results."""
        wanted = Wanted(query.event_id, query.verdict, start_of(query.since), query.limit)
        try:
            found = await self._streams().newest_results(wanted)
        except RedisUnavailableError as error:
            raise _unavailable(error) from error
        return ResultsReply.model_construct(results=found.results, complete=found.complete)

    def _streams(self) -> EventStreams:
        if self._given_streams is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, NOT_CONFIGURED)
        return self._given_streams


def _trace_context_of(request: Request) -> TraceContext | None:
    headers = request.headers
    traceparents, tracestates = headers.getlist(TRACEPARENT), headers.getlist(TRACESTATE)
    return read_trace_context([each.encode() for each in traceparents], [each.encode() for each in tracestates])


def _unavailable(error: RedisUnavailableError) -> HTTPException:
    return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, str(error), retry_after())
