"""JSON lines: one object a line. However long a line is, no more of it than the limit is held."""

from collections.abc import Iterator
from typing import BinaryIO

from eval_worker.tables.row import HEAD_BYTES, Row

BOM = b"\xef\xbb\xbf"
_CHUNK = 65_536


def read_json_lines(file: BinaryIO, *, max_bytes: int) -> Iterator[Row]:
    """Yield a row for each line that is not blank; blank lines are counted all the same."""
    limit = max_bytes + len(BOM) + len(b"\r\n") + 1
    number = 0
    while chunk := file.readline(limit):
        number += 1
        size = len(chunk) if chunk.endswith(b"\n") or len(chunk) < limit else len(chunk) + skip_line(file)
        line = chunk.removeprefix(BOM) if number == 1 else chunk
        line = line.rstrip(b"\r\n")
        if size > len(chunk) or len(line) > max_bytes:
            yield Row.too_large(number, line[:HEAD_BYTES], max(size - len(chunk), 0) + len(line), max_bytes)
        elif line.strip():
            yield Row.from_json(number, line)


def skip_line(file: BinaryIO) -> int:
    """Read on to the end of the line; returns how many bytes of the line that were, its end not counted."""
    skipped = 0
    while chunk := file.readline(_CHUNK):
        skipped += len(chunk.rstrip(b"\r\n")) if chunk.endswith(b"\n") else len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped
