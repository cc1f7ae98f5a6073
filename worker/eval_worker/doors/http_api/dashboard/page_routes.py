"""The page itself: a few files that are read once, and a policy that lets them load nothing from elsewhere."""

import hashlib
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from pathlib import PurePath

from fastapi import APIRouter, HTTPException, Request, Response

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_ENTRY = "index.html"


@dataclass(frozen=True, slots=True)
class _File:
    body: bytes
    media_type: str
    tag: str


class PageRoutes:
    """Open to all, keys or not: it holds no data."""

    def __init__(self) -> None:
        self._files = _read_files()

    def add_to(self, router: APIRouter) -> None:
        router.add_api_route("/", self.entry, methods=["GET"], include_in_schema=False)
        router.add_api_route("/page/{name}", self.file, methods=["GET"], include_in_schema=False)

    async def entry(self, request: Request) -> Response:
        return _answer(request, self._files[_ENTRY])

    async def file(self, request: Request, name: str) -> Response:
        found = self._files.get(name)
        if found is None or name == _ENTRY:
            raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no file {name[:100]!r} of the page")
        return _answer(request, found)


def _read_files() -> dict[str, _File]:
    folder = resources.files("eval_worker.doors.http_api.dashboard").joinpath("page")
    return {each.name: _file(each.name, each.read_bytes()) for each in folder.iterdir()}


def _file(name: str, body: bytes) -> _File:
    return _File(body, _TYPES[PurePath(name).suffix], f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"')


def _answer(request: Request, file: _File) -> Response:
    headers = {
        "ETag": file.tag,
        "Cache-Control": "no-cache",
        "Content-Security-Policy": POLICY,
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(file.body, headers=headers, media_type=file.media_type)
