"""The two faces of the fake: Converse for its clients, `/_fake` for those who steer it."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from http import HTTPStatus
from itertools import count
from typing import Any
from urllib.parse import unquote

from eval_worker.testing.fake_bedrock import wire
from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.failures import Throttle
from eval_worker.testing.fake_bedrock.outcome import Outcome, error_response
from eval_worker.testing.fake_bedrock.prompt_cache import FLOOR_TOKENS, PromptCache
from eval_worker.testing.fake_bedrock.replies import HIGHEST_LEVEL, Reply
from eval_worker.testing.fake_provider.call_limit import CallLimit
from eval_worker.testing.fake_provider.counters import CallLog
from eval_worker.testing.fake_provider.http_server import HttpRequest
from eval_worker.testing.fake_provider.response import Response, json_response
from eval_worker.testing.fake_provider.script import Script

_CALL_PREFIX, _CALL_SUFFIX = "/model/", "/converse"


class Service:
    """Decides what becomes of each request; knows nothing of sockets and threads."""

    def __init__(
        self, level: int = HIGHEST_LEVEL, latency: float = 0, *, prompt_cache_floor: int = FLOOR_TOKENS
    ) -> None:
        self.call_limit = CallLimit(time.monotonic)
        self.outcomes: Script[Outcome] = Script(Reply(level), time.monotonic)
        self.latencies: Script[float] = Script(latency, time.monotonic)
        self.log: CallLog[Call] = CallLog()
        self._prompt_cache = PromptCache(time.monotonic, prompt_cache_floor)
        self._request_ids = count(1)

    @asynccontextmanager
    async def handle(self, request: HttpRequest) -> AsyncGenerator[Response, None]:
        if request.path.startswith("/_fake/"):
            yield self._steer(request)
            return
        call = _parsed(request)
        if isinstance(call, Response):
            yield call
            return
        if not self.call_limit.takes_one_more():
            yield self._turned_away(call)
            return
        outcome, turn = self.outcomes.next_for(call)
        self.log.started(call, type(outcome).__name__)
        try:
            yield await self._converse(call, outcome, turn)
        finally:
            self.log.finished()

    def _turned_away(self, call: Call) -> Response:
        """Throttle at once, however long calls take: no model was asked."""
        throttle = Throttle()
        self.log.started(call, type(throttle).__name__)
        self.log.finished()
        return throttle.response(call, 0)

    async def _converse(self, call: Call, outcome: Outcome, turn: int) -> Response:
        latency, _ = self.latencies.next_for(call)
        call = self._prompt_cache.counted(call)
        if latency:
            await asyncio.sleep(latency)
        response = outcome.response(call, turn)
        if response.status == HTTPStatus.OK:
            self._prompt_cache.keep(call)
        request_id = ("x-amzn-RequestId", f"00000000-0000-4000-8000-{next(self._request_ids):012d}")
        return replace(response, headers=(*response.headers, request_id))

    def _steer(self, request: HttpRequest) -> Response:
        try:
            return json_response(self._steered(request))
        except (ValueError, KeyError, TypeError) as error:
            return json_response({"error": f"{type(error).__name__}: {error}"}, 400)

    def _steered(self, request: HttpRequest) -> Any:
        order: dict[str, Any] = json.loads(request.body or b"{}")
        when, times = wire.decode_condition(order.get("when", {})), order.get("times")
        match request.method, request.path.removeprefix("/_fake/"):
            case "POST", "script":
                outcome = wire.decode_outcome(order["outcome"])
                self.outcomes.add(outcome, when & outcome.only_when, times, order.get("seconds"))
            case "POST", "latency":
                self.latencies.add(float(order["seconds"]), when, times, order.get("for_seconds"))
            case "POST", "limit":
                self.call_limit.calls_per_second = order["calls_per_second"]
            case "POST", "calm":
                self.calm()
            case "POST", "forget":
                self.log.forget()
            case "GET", "counters":
                return wire.encode(self.log.counters())
            case "GET", "requests":
                return [{"model_id": call.model_id, "body": call.body} for call in self.log.requests()]
            case method, path:
                raise ValueError(f"the fake knows no {method} /_fake/{path}")
        return {"ok": True}

    def calm(self) -> None:
        self.outcomes.clear()
        self.latencies.clear()
        self.call_limit.calls_per_second = None


def _parsed(request: HttpRequest) -> Call | Response:
    if not (request.path.startswith(_CALL_PREFIX) and request.path.endswith(_CALL_SUFFIX)):
        return error_response(404, "UnknownOperationException", f"the fake knows no {request.path}")
    model_id = unquote(request.path[len(_CALL_PREFIX) : -len(_CALL_SUFFIX)])
    try:
        return Call.parse(model_id, json.loads(request.body))
    except (ValueError, AttributeError, TypeError) as error:
        return error_response(400, "SerializationException", f"the body is no Converse request: {error}")
