"""Decides what becomes of each request; knows nothing of sockets and threads."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from eval_worker.testing.fake_openai.call import ChatCall
from eval_worker.testing.fake_openai.outcomes import HIGHEST_LEVEL, Outcome, Reply
from eval_worker.testing.fake_provider.counters import CallLog
from eval_worker.testing.fake_provider.http_server import HttpRequest
from eval_worker.testing.fake_provider.response import Response, json_response
from eval_worker.testing.fake_provider.script import Script

_PATH = "/v1/chat/completions"


class Service:
    """Answers by the rules that were given."""

    def __init__(self, level: int = HIGHEST_LEVEL, latency: float = 0) -> None:
        self.outcomes: Script[Outcome] = Script(Reply(level), time.monotonic)
        self.latencies: Script[float] = Script(latency, time.monotonic)
        self.log: CallLog[ChatCall] = CallLog()

    @asynccontextmanager
    async def handle(self, request: HttpRequest) -> AsyncGenerator[Response, None]:
        call = _parsed(request)
        if isinstance(call, Response):
            yield call
            return
        outcome, turn = self.outcomes.next_for(call)
        self.log.started(call, type(outcome).__name__)
        try:
            latency, _ = self.latencies.next_for(call)
            if latency:
                await asyncio.sleep(latency)
            yield outcome.response(call, turn)
        finally:
            self.log.finished()


def _parsed(request: HttpRequest) -> ChatCall | Response:
    if (request.method, request.path) != ("POST", _PATH):
        return _refusal(404, f"the fake knows no {request.method} {request.path}, only POST {_PATH}")
    try:
        return ChatCall.parse(json.loads(request.body), request.headers)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        return _refusal(400, f"the body is no request for a chat completion: {type(error).__name__}: {error}")


def _refusal(status: int, message: str) -> Response:
    return json_response({"error": {"message": message, "type": "invalid_request_error"}}, status)
