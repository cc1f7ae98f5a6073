"""What is measured runs in processes of its own, in an empty folder and an environment without the user's settings."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bounds.memory import cpu_seconds

from benchmarks.figures import Throughput
from eval_worker.settings import Settings
from eval_worker.testing import RemoteFakeBedrock

ROOT = Path(__file__).resolve().parents[1]
SOURCES = os.pathsep.join(map(str, (ROOT / "worker", ROOT / "producer", ROOT)))
WORKER = ("-m", "eval_worker", "run")
INSTANT_WORKER = ("-m", "benchmarks.subjects.instant_worker")
# PYTHONDONTWRITEBYTECODE would have every process compile what it imports, as no installed program does.
_NOT_PASSED_ON = ("AWS_", "REDIS_", "PYTHONDONTWRITEBYTECODE", *(name.upper() for name in Settings.model_fields))
_STOP_SECONDS = 30.0
_START_SECONDS = 60.0
_POLL_SECONDS = 0.01
_LINES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Program:
    """A process under way. What it says on stderr goes to a file, as a service manager has it."""

    process: "subprocess.Popen[bytes]"
    log: Path
    started_at: float  # monotonic seconds

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def processor_seconds(self) -> float:
        """What it and the processes that it started have used so far."""
        return sum(map(cpu_seconds, _family(self.pid)))

    def check(self) -> None:
        """Raise if it has ended."""
        if self.process.poll() is not None:
            said = _last_lines(self.log.read_text(encoding="utf-8", errors="replace"))
            raise RuntimeError(f"{self.process.args} ended with {self.process.returncode}: {said}")


@contextmanager
def running(arguments: tuple[str, ...], *, python: str = sys.executable, **environment: str) -> Generator[Program]:
    """Run `python ARGUMENTS…`; at the end it is asked to stop, and waited for."""
    with TemporaryDirectory(prefix="eval-worker-benchmark-") as folder:
        log = Path(folder) / "stderr.log"
        with log.open("wb") as stderr:
            started_at = time.monotonic()
            process = subprocess.Popen(  # noqa: S603 (our own programs)
                [python, *arguments],
                cwd=folder,
                env=_environment(environment),
                stdout=subprocess.DEVNULL,
                stderr=stderr,
            )
        try:
            yield Program(process, log, started_at)
        finally:
            stop(process)


def listening(program: Program, port: int) -> None:
    """Wait until the program takes connections."""
    deadline = time.monotonic() + _START_SECONDS
    while True:
        program.check()
        with socket.socket() as knocking:
            if knocking.connect_ex(("127.0.0.1", port)) == 0:
                return
        if time.monotonic() > deadline:
            raise TimeoutError(f"nothing listens on port {port} after {_START_SECONDS:.0f} s")
        time.sleep(_POLL_SECONDS)


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Ask it to end, and insist after a while."""
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_to_its_end(arguments: tuple[str, ...], *, python: str = sys.executable, **environment: str) -> str:
    """Run `python ARGUMENTS…`; returns what it wrote on stdout."""
    command = [python, *arguments]
    done = subprocess.run(command, env=_environment(environment), capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}: {_last_lines(done.stderr)}")
    return done.stdout


def throughput_of(arguments: tuple[str, ...], **environment: str) -> Throughput:
    """Run a program that measures itself."""
    return Throughput(**json.loads(run_to_its_end(arguments, **environment)))


@contextmanager
def fake_bedrock(latency: float) -> Generator[RemoteFakeBedrock]:
    """Run the fake Bedrock in a process of its own, which answers after so many seconds."""
    command = [sys.executable, "-m", "eval_worker.testing.fake_bedrock", "--latency", str(latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=_environment({}), text=True) as process:  # noqa: S603
        try:
            assert process.stdout is not None
            yield RemoteFakeBedrock(process.stdout.readline().strip())
        finally:
            process.terminate()


def _family(pid: int) -> Iterator[int]:
    """Yield the process, and on Linux, where /proc tells, its children and theirs."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text(encoding="ascii").split():
            yield from _family(int(child))


def _last_lines(text: str) -> str:
    return " | ".join(text.splitlines()[-_LINES_SHOWN:])


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(_NOT_PASSED_ON)}
    ours = {"PYTHONPATH": SOURCES, "METRICS_PORT": "0", "AWS_EC2_METADATA_DISABLED": "true"}
    return {**kept, **ours, **more}
