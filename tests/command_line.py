"""Runs the commands as people do, with a pipe or a terminal behind stdout."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

import pytest
from tests.planted_secrets import overheard
from tests.processes import redis_environment

import eval_producer.cli
import eval_worker.cli
from eval_worker.settings import Settings

SECONDS = 120


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


def run(
    module: str,
    *arguments: str | bytes,
    settings: Settings | None = None,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a command as in a pipe, in this process: starting one takes longer than all that it does."""
    main = {"eval_worker": eval_worker.cli.main, "eval_producer": eval_producer.cli.main}[module]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        patch.object(sys, "argv", [module, *map(os.fsdecode, arguments)]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), encoding="utf-8")),  # type: ignore[arg-type]
        patch.dict(os.environ, _environment(settings, environment or {})),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as ending,
    ):
        main()
    assert isinstance(ending.value.code, int)
    return _noted(Finished(ending.value.code, _written_to(out), _written_to(err)))


def run_on_terminal(module: str, *arguments: str, settings: Settings, answer: bytes = b"") -> Finished:
    """Run it where all three streams are a terminal of 80 columns; `out` is what a person sees."""
    ours, theirs = pty.openpty()
    variables = {"COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}
    with subprocess.Popen(
        _command(module, arguments),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env=_environment(settings, variables),
    ) as process:
        os.close(theirs)
        os.write(ours, answer)
        seen = bytearray()
        try:
            while part := os.read(ours, 65_536):
                seen += part
        except OSError:  # how Linux says that the other end is closed
            pass
        code = process.wait(SECONDS)
    os.close(ours)
    return _noted(Finished(code, seen.decode().replace("\r\n", "\n"), ""))


def _noted(finished: Finished) -> Finished:
    overheard.note("a command's stdout", finished.out)
    overheard.note("a command's stderr", finished.err)
    return finished


def _command(module: str, arguments: tuple[str | bytes, ...]) -> list[str | bytes]:
    return [sys.executable, "-W", "error", "-m", module, *arguments]


def _environment(settings: Settings | None, variables: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **redis_environment(settings), **variables}


def _written_to(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
