"""What is appended to a file is there whole, or not at all."""

import resource
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from eval_worker.doors.batch.line_files import LineFile
from eval_worker.errors import EvalWorkerError


@contextmanager
def room_for(size: int) -> Generator[None]:
    """Let no file grow beyond a size, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_line_that_a_full_disk_cut_off_does_not_spoil_the_one_that_finds_room_after_it(tmp_path: Path):
    file = LineFile(tmp_path / "lines")
    file.append(b"first")

    with room_for(10), pytest.raises(EvalWorkerError, match="lines: File too large"):
        file.append(b"second")
    file.append(b"third")
    file.close()

    assert (tmp_path / "lines").read_bytes() == b"first\nthird\n"
