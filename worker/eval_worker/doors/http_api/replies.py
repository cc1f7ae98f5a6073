"""Every error is JSON: `{"error": "…"}`, in words that may be shown."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import cast

import structlog
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import ClientDisconnect

from eval_worker.invalid_field import problem_in

log = structlog.get_logger()

HUNG_UP = 499
"""What the log and the metrics say where nobody was left to be answered; nginx began it."""
INTERNAL = "internal error: the server's log says more"
JSON = "application/json"
_SHOWN_PATH = 100


def error_body(problem: str) -> bytes:
    return json.dumps({"error": problem}, ensure_ascii=False).encode(errors="backslashreplace")


def error_reply(status: int, problem: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(error_body(problem), status, headers, JSON)


def answer_errors(app: FastAPI) -> None:
    """Make the app answer whatever goes wrong in our words."""
    app.add_exception_handler(StarletteHTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(ClientDisconnect, _hung_up)
    app.add_exception_handler(Exception, _bug)


async def _refused(request: Request, error: Exception) -> Response:
    refusal = cast("StarletteHTTPException", error)
    problem = refusal.detail
    if not isinstance(error, HTTPException):  # the router's own: no such path, no such method
        what = f"{request.method[:20]} {request.url.path[:_SHOWN_PATH]}"
        allowed = (refusal.headers or {}).get("Allow")
        instead = f"it takes {allowed}" if allowed else "see /docs"
        problem = f"there is no {what} here: {instead}"
    return error_reply(refusal.status_code, problem, refusal.headers)


async def _invalid(_request: Request, error: Exception) -> Response:
    return error_reply(HTTPStatus.BAD_REQUEST, refused_parameter(cast("RequestValidationError", error)))


def refused_parameter(error: RequestValidationError) -> str:
    """Name the first parameter that was refused, and say why."""
    detail = error.errors()[0]
    name, problem = problem_in({**detail, "loc": detail["loc"][1:]})  # the first part says query or path
    if detail["type"] == "extra_forbidden":
        problem = "is no parameter that is known here"
    return f"{name[:_SHOWN_PATH]}: {problem}"


async def _hung_up(_request: Request, _error: Exception) -> Response:
    return Response(status_code=HUNG_UP)


async def _bug(_request: Request, _error: Exception) -> Response:
    return error_reply(HTTPStatus.INTERNAL_SERVER_ERROR, INTERNAL)
