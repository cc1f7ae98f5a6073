"""Worker processes, each started again when it ends, as an orchestrator would."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Self

POLL_SECONDS = 0.05
RUN: Sequence[str] = ("-m", "eval_worker", "run")
_READY = b'"event": "ready"'


@dataclass(slots=True)
class WorkerProcess:
    """`fate` is what we did to it, None while it is left alone."""

    name: str
    process: asyncio.subprocess.Process
    log: Path
    fate: str | None = None
    signalled_at: float = 0.0
    _ready: bool = field(default=False, repr=False)

    @property
    def ready(self) -> bool:
        """Whether it takes signals itself by now."""
        self._ready = self._ready or _READY in self.log.read_bytes()
        return self._ready

    @property
    def address(self) -> str:
        """Host and port of /readyz, /healthz and /metrics. It has to be ready."""
        lines = (json.loads(line) for line in self.log.read_bytes().splitlines() if _READY in line)
        return str(next(lines)["metrics"]).removeprefix("http://").removesuffix("/metrics")

    @property
    def pid(self) -> int:
        return self.process.pid

    def end(self, fate: str, number: signal.Signals) -> None:
        self.fate = fate
        self.signalled_at = time.monotonic()
        self.send(number)

    def send(self, number: signal.Signals) -> None:
        if self.process.returncode is None:
            os.kill(self.process.pid, number)


@dataclass(frozen=True, slots=True)
class Exit:
    """How a worker ended. `seconds` is from our signal, if it was ours, to its end."""

    worker: str
    code: int
    fate: str | None
    ready: bool
    seconds: float


class Fleet:
    """`size` workers in `environment`, their logs in `directory`. `deadly` is how one exits that was poisoned."""

    def __init__(
        self,
        size: int,
        environment: Mapping[str, str],
        directory: Path,
        *,
        program: Sequence[str] = RUN,
        deadly: int | None = None,
    ) -> None:
        self._size = size
        self._environment = dict(environment)
        self._directory = directory
        self._program = program
        self._deadly = deadly
        self._started = 0
        self._stopping = False
        self._workers: dict[int, WorkerProcess] = {}
        self._slots: list[asyncio.Task[None]] = []
        self.exits: list[Exit] = []

    async def __aenter__(self) -> Self:
        self._slots = [asyncio.create_task(self._keep_running(slot)) for slot in range(self._size)]
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Stop all of them as an orchestrator does; nothing is left running, whatever happened."""
        self._stopping = True
        for worker in self._workers.values():
            worker.end("stopped at the end", signal.SIGTERM if exception[0] is None else signal.SIGKILL)
        await asyncio.gather(*self._slots)

    async def until_ready(self) -> None:
        while not self._all_ready:  # noqa: ASYNC110 (a log file tells nobody)
            await asyncio.sleep(POLL_SECONDS)

    def pick(self, random: Random) -> WorkerProcess | None:
        """One that is ready and left alone, if there is any."""
        able = [worker for _, worker in sorted(self._workers.items()) if worker.fate is None and worker.ready]
        return random.choice(able) if able else None

    @property
    def _all_ready(self) -> bool:
        return len(self._workers) == self._size and all(worker.ready for worker in self._workers.values())

    async def _keep_running(self, slot: int) -> None:
        while not self._stopping:
            worker = self._workers[slot] = await self._start(slot)
            if self._stopping:  # it came after the others had been told
                worker.end("stopped at the end", signal.SIGKILL)
            code = await worker.process.wait()
            seconds = time.monotonic() - worker.signalled_at
            if code == self._deadly and worker.fate is None:
                worker.fate = "killed by the poison event"
            self.exits.append(Exit(worker.name, code, worker.fate, worker.ready, seconds))

    async def _start(self, slot: int) -> WorkerProcess:
        self._started += 1
        name = f"chaos-{slot + 1}-{self._started:04}"
        path = self._directory / f"{name}.log"
        with path.open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *self._program,
                env={**self._environment, "HOSTNAME": name},
                stdout=log,
                stderr=log,
            )
        return WorkerProcess(name, process, path)
