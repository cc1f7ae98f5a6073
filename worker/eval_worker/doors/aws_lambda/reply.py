"""What Lambda is given back: `{statusCode, headers, body}` for HTTP requests, else the document itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from math import ceil
from typing import Any

from eval_worker.doors.agentic_run.refusal import RunError, RunRefusedError

LARGEST_BYTES = 6 * 1024 * 1024
"""Lambda's own bound for what a function returns; beyond it the caller is told nothing."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: HTTPStatus
    document: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, refusal: RunRefusedError) -> "Reply":
        headers = {"Allow": refusal.allow} if refusal.allow else {}
        if refusal.retry_after is not None:
            headers["Retry-After"] = str(max(ceil(refusal.retry_after), 1))
        return cls(refusal.status, refusal.as_response(), headers)

    def as_returned(self, *, is_http: bool, largest_bytes: int = LARGEST_BYTES) -> Mapping[str, Any]:
        """Return it in the form that the caller understands; one that Lambda would not carry becomes an error."""
        returned = self._for_http() if is_http else self.document
        size = len(json.dumps(returned))  # as the runtime writes it: text within text, in ASCII
        if size <= largest_bytes:
            return returned
        problem = (
            f"the reply has {size} bytes and AWS Lambda carries {largest_bytes}: send fewer conversations at a time"
        )
        too_large = RunRefusedError(RunError.EVALUATION_FAILED, problem, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return Reply.of(too_large).as_returned(is_http=is_http)

    def _for_http(self) -> dict[str, Any]:
        return {
            "statusCode": int(self.status),
            "headers": {"Content-Type": "application/json", **self.headers},
            "body": json.dumps(self.document, ensure_ascii=False),
            "isBase64Encoded": False,
        }
