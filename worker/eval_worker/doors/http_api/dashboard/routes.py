"""The data behind the page: figures and rows, one result whole, dead letters and what can be done with them."""

import hashlib
import time
from datetime import datetime
from http import HTTPStatus
from typing import Annotated

import orjson
from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from pydantic import ValidationError

from eval_worker.dashboard.selection import Selection
from eval_worker.doors.http_api.body import Bodies
from eval_worker.doors.http_api.dashboard.dashboard import Dashboard
from eval_worker.doors.http_api.dashboard.documented import act_on_letters, look
from eval_worker.doors.http_api.dashboard.overview import Overview, Overviews
from eval_worker.doors.http_api.dashboard.wire import (
    EntryId,
    LetterIds,
    LettersQuery,
    LettersReply,
    OverviewQuery,
    PurgedReply,
    ReplayedReply,
    WholeLetterReply,
)
from eval_worker.doors.http_api.replies import JSON
from eval_worker.doors.http_api.retry_after import retry_after
from eval_worker.doors.http_api.since import start_of
from eval_worker.doors.http_api.stream_routes import NOT_CONFIGURED
from eval_worker.doors.http_api.wire import NoQuery
from eval_worker.invalid_field import first_problem
from eval_worker.result import Result

LARGEST_BODY = 64 * 1024
READ_ONLY = "dead letters can be replayed and purged only by those who show a key: set API_KEYS"

_Id = Annotated[EntryId, Path(description="Its id in the stream.", examples=["1700000000000-0"])]


class DashboardRoutes:
    """Without a dashboard (no Redis is configured) they answer 404. Without keys nothing can be changed from here."""

    def __init__(self, dashboard: Dashboard | None, *, has_keys: bool) -> None:
        self._given = dashboard
        self._has_keys = has_keys
        self._overviews = Overviews(None if has_keys else READ_ONLY)
        self._bodies = Bodies(max_bytes=LARGEST_BODY)

    def add_to(self, router: APIRouter) -> None:
        add = router.add_api_route
        add("/api/v1/overview", self.overview, **look(Overview, "Figures and rows of the newest results"))
        add("/api/v1/results/{entry_id:path}", self.result, **look(Result, "One result, whole"))
        add("/api/v1/dead-letters", self.letters, **look(LettersReply, "Dead letters, newest first"))
        add("/api/v1/dead-letters/{entry_id:path}", self.letter, **look(WholeLetterReply, "One dead letter, whole"))
        add("/api/v1/dead-letters/replay", self.replay, **act_on_letters(ReplayedReply, "Judge dead letters again"))
        add("/api/v1/dead-letters/purge", self.purge, **act_on_letters(PurgedReply, "Delete dead letters for good"))

    async def overview(self, request: Request, query: Annotated[OverviewQuery, Query()]) -> Response:
        """Count the newest 20,000 results at most. Answers with an ETag; If-None-Match saves sending the same again."""
        _check_given_once(request)
        selection = _selection(query)
        dashboard = self._dashboard()
        sight = await dashboard.watch.look()
        if sight.problem is not None:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, sight.problem, retry_after())
        overview = await self._overviews.of(sight, selection, query.limit)
        return _unless_known(request, orjson.dumps(overview))

    async def result(self, entry_id: _Id, _query: Annotated[NoQuery, Query()]) -> Response:
        """Give the result that the worker wrote, with every stage, and with the texts where they were kept."""
        dashboard = self._dashboard()
        async with dashboard.explained():
            result = await dashboard.result(entry_id)
        if result is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no result {entry_id} any more: it may be trimmed")
        return Response(result.model_dump_json(by_alias=True), media_type=JSON)

    async def letters(self, query: Annotated[LettersQuery, Query()]) -> LettersReply:
        """List what could not be evaluated, and why."""
        dashboard = self._dashboard()
        async with dashboard.explained():
            return await dashboard.letters.newest(query.limit)

    async def letter(self, entry_id: _Id, _query: Annotated[NoQuery, Query()]) -> WholeLetterReply:
        """Give the dead letter with its event as it came."""
        dashboard = self._dashboard()
        async with dashboard.explained():
            letter = await dashboard.letters.whole(entry_id)
        if letter is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no dead letter {entry_id} any more")
        return letter

    async def replay(self, request: Request, _query: Annotated[NoQuery, Query()]) -> ReplayedReply:
        """Put events back on the event stream, byte for byte, and remove their dead letters; each at most once."""
        dashboard, ids = self._dashboard(), await self._ids(request)
        async with dashboard.explained():
            return await dashboard.letters.replay(ids)

    async def purge(self, request: Request, _query: Annotated[NoQuery, Query()]) -> PurgedReply:
        """Delete dead letters. Their events are lost."""
        dashboard, ids = self._dashboard(), await self._ids(request)
        async with dashboard.explained():
            return PurgedReply(purged=await dashboard.letters.purge(ids))

    def _dashboard(self) -> Dashboard:
        if self._given is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, NOT_CONFIGURED)
        return self._given

    async def _ids(self, request: Request) -> list[str]:
        if not self._has_keys:
            raise HTTPException(HTTPStatus.FORBIDDEN, READ_ONLY)
        async with self._bodies.read(request) as body:
            try:
                return LetterIds.model_validate_json(body).ids
            except ValidationError as error:
                name, problem = first_problem(error)
                raise HTTPException(HTTPStatus.BAD_REQUEST, f"{name}: {problem}") from error


def _check_given_once(request: Request) -> None:
    """Of two values one would be ignored without a word."""
    names = [name for name, _ in request.query_params.multi_items()]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"{twice[:100]}: is given more than once")


def _selection(query: OverviewQuery) -> Selection:
    start = start_of(query.since)
    now = int(time.time())  # whole seconds: whoever asks in the same one asks for the same
    moment = start.timestamp() if isinstance(start, datetime) else None if start is None else now - start
    since_ms = None if moment is None else int(moment * 1000)
    return Selection(query.agent, query.version, query.verdict, query.text, query.partial == "true", since_ms)


def _unless_known(request: Request, body: bytes) -> Response:
    tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, headers=headers, media_type=JSON)
