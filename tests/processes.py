"""Workers as processes of their own, to be watched and killed."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from tests.planted_secrets import AWS_KEYS, PROXY_URL, note_health, overheard
from tests.waiting import eventually_sync

from eval_worker.settings import Settings
from eval_worker.testing import FakeBedrock

ROOT = Path(__file__).resolve().parents[1]
# Of this tree, whichever one is installed.
IMPORT_PATH = os.pathsep.join(str(ROOT / part) for part in (".", "worker", "producer"))


def environment_for(settings: Settings | None, bedrock: FakeBedrock | None = None, **more: str) -> dict[str, str]:
    """The environment of a worker process that reaches the test's Redis and the fake Bedrock."""
    ours = {"METRICS_PORT": "0", "LOG_FORMAT": "json", "JUDGE_MODEL": "bedrock" if bedrock else "offline"}
    fake = {**bedrock.environment(), **AWS_KEYS, "HTTPS_PROXY": PROXY_URL} if bedrock else {}
    return {**os.environ, "PYTHONPATH": IMPORT_PATH, **ours, **redis_environment(settings), **fake, **more}


def redis_environment(settings: Settings | None) -> dict[str, str]:
    """The variables that lead another process to where these settings lead."""
    given = {} if settings is None else {name: getattr(settings, name) for name in settings.model_fields_set}
    return {
        name.upper(): value.get_secret_value() if isinstance(value, SecretStr) else str(value)
        for name, value in given.items()
        if name.startswith("redis_") and value is not None
    }


def seconds_to_leave(worker: "Worker") -> float:
    """How long a worker takes to leave after a signal, with exit code 0."""
    started = time.monotonic()
    worker.signal(signal.SIGTERM)
    assert worker.wait(60) == 0
    return time.monotonic() - started


class Worker:
    """A process started as `python ARGUMENTS…`, by default `-m eval_worker run`, and the log it writes."""

    def __init__(self, environment: Mapping[str, str], *arguments: str) -> None:
        program = arguments or ("-m", "eval_worker", "run")
        self.process = subprocess.Popen([sys.executable, *program], env=environment, stderr=subprocess.PIPE)
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read_log)
        self._reader.start()

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            overheard.note("a worker's log", line)
            self.log.append(line.decode())

    def logged(self, event: str) -> dict[str, Any] | None:
        """The first log line of that event."""
        documents = (json.loads(line) for line in list(self.log) if line.startswith("{"))
        return next((document for document in documents if document["event"] == event), None)

    def wait_until_ready(self) -> None:
        eventually_sync(lambda: self.logged("ready") or self.process.poll() is not None)
        assert self.logged("ready"), "".join(self.log)

    @property
    def address(self) -> str:
        """Where /metrics, /healthz and /readyz are."""
        ready = self.logged("ready")
        assert ready is not None
        return str(ready["metrics"]).removesuffix("/metrics")

    def why_not_ready(self) -> str:
        """The reason that /readyz gives; empty where it is ready."""
        try:
            with urllib.request.urlopen(f"{self.address}/readyz"):
                return ""
        except urllib.error.HTTPError as refusal:
            with refusal:
                reason = str(json.load(refusal)["reason"])
                overheard.note("/readyz", reason)
                return reason

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self, seconds: float) -> int:
        return self.process.wait(seconds)

    def end(self) -> None:
        """Kill it if it still runs, and let go of its log."""
        if self.process.poll() is None and self.logged("ready"):
            note_health(self.address)
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stderr is not None
        self.process.stderr.close()
