"""`<output>.progress`: what a batch was begun with, and results that wait for their turn in the output."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from eval_worker.doors.batch.fingerprint import Fingerprint
from eval_worker.doors.batch.line_files import LineFile, cut_torn_line, read_lines
from eval_worker.errors import EvalWorkerError

_LARGEST = 16 * 1024 * 1024


class ProgressFile:
    """Results that are judged before their turn are kept here, so that a kill loses none that was paid for."""

    def __init__(self, path: Path, fingerprint: Fingerprint, waiting: Iterable[bytes] = ()) -> None:
        self._path = path
        self._fingerprint = fingerprint
        self._file: LineFile | None = None
        self._size = 0
        self.rewrite(waiting)

    def keep(self, record: bytes) -> None:
        if self._file is None:
            raise AssertionError("rewrite opens it")
        self._file.append(record)
        self._size += len(record)

    @property
    def is_large(self) -> bool:
        return self._size > _LARGEST

    def rewrite(self, waiting: Iterable[bytes]) -> None:
        """Leave only those that still wait. Whenever the process is killed, the old file or the new one is there."""
        beside = self._path.with_name(f"{self._path.name}.new")
        beside.unlink(missing_ok=True)
        file = LineFile(beside)
        for line in (self._fingerprint.model_dump_json().encode(), *waiting):
            file.append(line)
        file.sync()
        beside.replace(self._path)
        self.close()
        self._file, self._size = file, 0

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def read_progress(path: Path) -> tuple[Fingerprint, Iterator[bytes]]:
    """Return what the batch was begun with, and the results that waited for their turn.

    Raises:
        EvalWorkerError: it is no progress file.
    """
    cut_torn_line(path)
    lines = read_lines(path)
    try:
        return Fingerprint.model_validate_json(next(lines, b"")), lines
    except ValidationError as error:
        raise EvalWorkerError(f"{path} is no progress file of a batch: begin anew with --overwrite") from error
