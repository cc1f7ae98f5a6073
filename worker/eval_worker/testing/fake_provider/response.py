"""What goes over the wire."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response, and how badly it is delivered.

    `cut_after` closes the connection after that many bytes of the body; 0 closes it with nothing sent at all.
    `pause_per_byte` sends the body byte by byte.
    """

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    cut_after: int | None = None
    pause_per_byte: float = 0


def json_response(document: Any, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    return Response(status, json.dumps(document).encode(), headers)
