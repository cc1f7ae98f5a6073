"""`top`: one frame in a pipe; on a terminal as things change, until q."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run
from tests.processes import redis_environment
from tests.stored_results import add_result, make_result
from tests.waiting import eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import Settings, load_settings

_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ALTERNATE, BACK = "\x1b[?1049h", "\x1b[?1049l"


class Terminal:
    """`eval-worker top` on a terminal of its own."""

    def __init__(self, settings: Settings) -> None:
        self._ours, theirs = pty.openpty()
        self.resize(80, 24)
        self.seen = ""
        environment = {**os.environ, **redis_environment(settings), "TERM": "xterm-256color"}
        for name in ("COLUMNS", "LINES"):  # which would count for more than the terminal's own size
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "eval_worker", "top"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=environment,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        try:
            while part := os.read(self._ours, 65_536):
                self.seen += part.decode(errors="replace")
        except OSError:  # how Linux says that the other end is closed
            pass

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, key: str) -> None:
        os.write(self._ours, key.encode())

    def until(self, words: str) -> None:
        """Wait until a frame has these words, and forget what was shown up to them."""

        def shows() -> bool:
            assert self.process.poll() is None, f"it ended before it showed {words!r}: {self.seen[-2_000:]}"
            return words in _CONTROLS.sub("", self.seen)

        eventually_sync(shows)
        self.seen = ""

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        os.close(self._ours)


@pytest.fixture
def own_server(free_port: int, tmp_path: Path) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer.on_port(free_port, tmp_path / "data")
    server.start()
    yield server
    server.stop()


def test_in_a_pipe_it_is_one_frame(settings: Settings, redis_client: Any):
    add_result(redis_client, make_result(verdict="fail"), key=settings.redis_result_stream)

    done = run("eval_worker", "top", settings=settings)

    assert (done.code, done.err) == (0, "")
    assert "results 1 (" in done.out
    assert "\x1b" not in done.out
    assert "q quits" not in done.out


def test_once_is_one_frame_wherever(settings: Settings):
    done = run("eval_worker", "top", "--once", settings=settings)

    assert done.code == 0
    assert "no results yet" in done.out


def test_it_follows_what_happens_says_when_redis_is_gone_and_ends_with_q(own_server: EmbeddedServer):
    settings = load_settings(redis_addr=own_server.addr)
    with connect_sync(settings) as client:
        add_result(client, make_result("one"))
    terminal = Terminal(settings)
    try:
        terminal.until("results 1 (")
        with connect_sync(settings) as client:
            add_result(client, make_result("two", verdict="fail"))
        terminal.until("▒ fail 50.0%")
        terminal.resize(140, 40)
        terminal.until("over time")  # for which there was no room
        own_server.stop()
        terminal.until("(connection refused)")
        own_server.start()
        with connect_sync(settings) as client:
            add_result(client, make_result("three", verdict="fail"))
        terminal.until("▒ fail 66.7%")

        terminal.press("q")

        assert terminal.process.wait(60) == 0
        eventually_sync(lambda: BACK in terminal.seen)
    finally:
        terminal.end()
