"""Events from a file of JSON lines or from stdin, in constant memory whatever the file's size."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedIOBase

CHUNK_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """One event's bytes as given, without the line's end."""

    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """What one read brought: from a pipe that is what is there, so an event never waits for those after it."""

    lines: tuple[Line, ...]
    read_bytes: int


def read_events(source: BufferedIOBase) -> Iterator[Batch]:
    """Yield every line that is not blank. A byte order mark at the start is the file's, not the event's."""
    number = 0
    unfinished: list[bytes] = []
    while chunk := source.read1(CHUNK_BYTES):
        first, *others = chunk.split(b"\n")
        unfinished.append(first)
        if not others:
            yield Batch((), len(chunk))
            continue
        finished = [b"".join(unfinished), *others[:-1]]
        yield Batch(tuple(_events(finished, number)), len(chunk))
        number += len(finished)
        unfinished = [others[-1]]
    yield Batch(tuple(_events([b"".join(unfinished)], number)), 0)


def _events(lines: list[bytes], before: int) -> Iterator[Line]:
    for number, raw in enumerate(lines, start=before + 1):
        payload = (raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw).removesuffix(b"\r")
        if payload.strip():
            yield Line(number, payload)
