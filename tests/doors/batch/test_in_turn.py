"""In order means in order, whatever comes first, and what waits can be found again."""

from pathlib import Path

import pytest

from eval_worker.doors.batch import progress_file
from eval_worker.doors.batch.fingerprint import Fingerprint
from eval_worker.doors.batch.in_turn import InOrder
from eval_worker.doors.batch.progress_file import ProgressFile, read_progress

FINGERPRINT = Fingerprint(input_sha256="x", order="o", model="m", judges_digest="d", settings={})


class Lines:
    def __init__(self) -> None:
        self.written: list[bytes] = []

    def append(self, line: bytes) -> None:
        self.written.append(line)


def kept(path: Path) -> list[bytes]:
    return [line.rstrip() for line in read_progress(path)[1]]


def test_what_is_known_before_its_turn_waits_and_is_kept():
    output, path = Lines(), Path("p")
    progress = ProgressFile(path, FINGERPRINT)
    placing = InOrder(output, progress, {})
    for number in (1, 2, 4):
        placing.taken(number)

    placing.known(4, b"four", paid=True)
    placing.known(2, b"two", paid=True)
    assert (output.written, kept(path)) == ([], [b"four", b"two"])
    placing.known(1, b"one", paid=True)
    for number in (1, 2, 4):
        placing.turn(number)
    placing.finish()

    assert (output.written, kept(path)) == ([b"one", b"two", b"four"], [])
    progress.close()


def test_what_cost_nothing_is_not_kept():
    output, path = Lines(), Path("p")
    progress = ProgressFile(path, FINGERPRINT)
    placing = InOrder(output, progress, {})
    for number in (1, 2):
        placing.taken(number)

    placing.known(2, b"two", paid=False)

    assert kept(path) == []
    progress.close()


def test_what_an_earlier_run_left_waiting_is_put_between():
    output = Lines()
    placing = InOrder(output, None, {2: b"two", 5: b"five", 9: b"nine"})

    for number in (3, 4, 6):
        placing.taken(number)
    placing.known(3, b"three", paid=True)
    placing.turn(3)
    placing.turn(4)  # it was rejected
    placing.known(6, b"six", paid=True)
    placing.turn(6)
    assert output.written == [b"two", b"three", b"five", b"six"]
    placing.finish()
    assert output.written[-1] == b"nine"


def test_a_progress_file_that_grew_large_is_written_anew(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress_file, "_LARGEST", 1000)
    path = Path("p")
    progress = ProgressFile(path, FINGERPRINT)
    placing = InOrder(Lines(), progress, {})
    for number in range(1, 202):
        placing.taken(number)

    for number in range(1, 201):
        placing.known(number + 1, b"%d" % (number + 1) * 100, paid=True)
        placing.known(number, b"%d" % number * 100, paid=True)
        placing.turn(number)

    assert path.stat().st_size < 4000
    assert kept(path)[-1] == b"201" * 100
    progress.close()
