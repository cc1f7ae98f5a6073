"""Steers a fake Bedrock that runs in another process."""

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from eval_worker.testing.fake_bedrock import wire
from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.outcome import Outcome
from eval_worker.testing.fake_bedrock.steering import Steering
from eval_worker.testing.fake_provider.condition import ANY_CALL, Condition
from eval_worker.testing.fake_provider.counters import Counters

_TIMEOUT_SECONDS = 10


class RemoteFakeBedrock(Steering):
    """The same methods as `FakeBedrock`, over HTTP: `RemoteFakeBedrock("http://127.0.0.1:8099")`."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._opener = build_opener(ProxyHandler({}))  # a proxy of the environment has no business with 127.0.0.1

    @property
    def url(self) -> str:
        return self._url

    def script(
        self, outcome: Outcome, *, when: Condition = ANY_CALL, times: int | None = None, seconds: float | None = None
    ) -> None:
        order = {"outcome": wire.encode_outcome(outcome), "when": wire.encode(when), "times": times, "seconds": seconds}
        self._call("script", order)

    def latency(
        self,
        seconds: float,
        *,
        when: Condition = ANY_CALL,
        times: int | None = None,
        for_seconds: float | None = None,
    ) -> None:
        order = {"seconds": seconds, "when": wire.encode(when), "times": times, "for_seconds": for_seconds}
        self._call("latency", order)

    def limit(self, calls_per_second: float) -> None:
        self._call("limit", {"calls_per_second": calls_per_second})

    def calm(self) -> None:
        self._call("calm", {})

    def counters(self) -> Counters:
        return Counters(**self._call("counters"))

    def requests(self) -> list[Call]:
        return [Call.parse(call["model_id"], call["body"]) for call in self._call("requests")]

    def forget(self) -> None:
        self._call("forget", {})

    def _call(self, path: str, order: dict[str, Any] | None = None) -> Any:
        data = None if order is None else json.dumps(order).encode()
        request = Request(f"{self._url}/_fake/{path}", data)  # noqa: S310, the address is the test's own
        try:
            with self._opener.open(request, timeout=_TIMEOUT_SECONDS) as response:
                return json.load(response)
        except HTTPError as error:
            with error:
                raise ValueError(json.load(error)["error"]) from error
