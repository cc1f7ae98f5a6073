"""Files of events for batches, good lines and bad ones of every kind."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.events import event, rubbish
from tests.planted_secrets import overheard

BAD_LINES: Mapping[bytes, tuple[str, str]] = {
    b"\xff\xfe": ("payload", "payload: is not UTF-8 (byte 0)"),
    b'{"event_id": "x"': ("payload", "payload: is not JSON: EOF while parsing an object (character 16)"),
    b"[1, 2]": ("payload", "payload: must be a JSON object, not a list"),
    b"{}": ("event_id", "event_id: is required"),
    b'{"event_id": "", "interaction": {"user_query": "q", "answer": "a"}}': ("event_id", "event_id: must not be empty"),
    b'{"event_id": "x", "interaction": {"user_query": " ", "answer": "a"}}': (
        "interaction.user_query",
        "interaction.user_query: must not be empty",
    ),
    b'{"event_id": "x", "interaction": {"user_query": "q"}}': ("interaction.answer", "interaction.answer: is required"),
    b'{"event_id": "x", "interaction": "text"}': ("interaction", "interaction: must be a JSON object, not text"),
}


def line_of(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode()


def write_lines(path: Path, lines: Iterable[bytes]) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def mixed_lines(count: int, *, judged_share: float = 0.1) -> list[bytes]:
    """Mostly early exits, which are quick; a hundredth of the lines is bad; event ids repeat."""
    bad = list(BAD_LINES)
    lines: list[bytes] = []
    for number in range(count):
        if number % 100 == 37:
            lines.append(bad[number // 100 % len(bad)])
        elif number % 100 < judged_share * 100:
            lines.append(line_of(event(f"e-{number % 50}")))
        else:
            lines.append(line_of(rubbish(f"e-{number % 50}")))
    return lines


def records_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def files_here() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def start_batch(
    environment: Mapping[str, str], *arguments: str, stdin: int = subprocess.DEVNULL
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "eval_worker", "batch", *arguments],
        env=environment,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(process: "subprocess.Popen[bytes]", *, within: float = 60) -> tuple[int, str]:
    """Wait for its end; returns the exit code and what it said on stderr."""
    out, err = process.communicate(timeout=within)
    overheard.note("a batch's stdout", out)
    overheard.note("a batch's stderr", err)
    return process.returncode, err.decode()
