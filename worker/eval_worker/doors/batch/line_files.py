"""Files that lines are appended to, so that a kill loses none that was written and breaks no more than the last."""

import fcntl
import os
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from eval_worker.errors import EvalWorkerError, SettingsError

SYNC_SECONDS = 1.0
_CHUNK = 65_536


class LineWriter(Protocol):
    def append(self, line: bytes) -> None: ...


class LineFile:
    """Hands each line to the system at once, so that no kill of the process loses it; a power cut may lose a second."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self._clock = clock
        try:
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise SettingsError(f"{path} can't be written: {error.strerror or error}") from error
        self._synced_at = clock()
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise EvalWorkerError(f"{path} is being written by another process") from error

    def append(self, line: bytes) -> None:
        with _named(self.path):
            self._write_whole(line + b"\n")
            if self._clock() - self._synced_at >= SYNC_SECONDS:
                self.sync()

    def _write_whole(self, line: bytes) -> None:
        """Take back what is written of a line that breaks off: others may find room after it."""
        rest = line
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            if rest != line:
                self._file.truncate(os.fstat(self._file.fileno()).st_size - (len(line) - len(rest)))
            raise

    def clear(self) -> None:
        with _named(self.path):
            self._file.truncate(0)

    def sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced_at = self._clock()

    def close(self) -> None:
        with _named(self.path), self._file:
            self.sync()


class LineStream:
    """Standard output or the like, which keeps nothing."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def append(self, line: bytes) -> None:
        with _named(self._name):
            self._stream.write(line + b"\n")
            self._stream.flush()


def standard_output() -> LineStream:
    return LineStream(sys.stdout.buffer, "stdout")


def standard_error() -> LineStream:
    return LineStream(sys.stderr.buffer, "stderr")


def cut_torn_line(path: Path) -> None:
    """Remove what stands behind the last end of a line: it was being written when the process was killed."""
    with _named(path), path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            begin = max(end - _CHUNK, 0)
            file.seek(begin)
            found = file.read(end - begin).rfind(b"\n")
            if found >= 0:
                end = begin + found + 1
                break
            end = begin
        file.truncate(end)


def read_lines(path: Path) -> Iterator[bytes]:
    with _named(path), path.open("rb") as file:
        yield from file


@contextmanager
def _named(path: Path | str) -> Generator[None]:
    """Say which file it was that the system refused."""
    try:
        yield
    except BrokenPipeError:  # whoever read us has enough
        raise
    except OSError as error:
        raise EvalWorkerError(f"{path}: {error.strerror or error}") from error
