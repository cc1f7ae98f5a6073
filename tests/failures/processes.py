"""Workers as processes of their own, to be killed."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from eval_worker.settings import Settings
from eval_worker.testing import FakeBedrock

ROOT = Path(__file__).resolve().parents[2]


def environment_for(settings: Settings, bedrock: FakeBedrock | None = None, **more: str) -> dict[str, str]:
    """The environment of a worker process that reaches the test's Redis and the fake Bedrock."""
    assert settings.redis_url is not None
    ours = {
        "REDIS_URL": settings.redis_url.get_secret_value(),
        "JUDGE_MODEL": "offline" if bedrock is None else "bedrock",
        "METRICS_PORT": "0",
        "LOG_FORMAT": "json",
        **(bedrock.environment() if bedrock else {}),
        **more,
    }
    return {**os.environ, "PYTHONPATH": str(ROOT), **ours}


def start_worker(environment: Mapping[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    """Start `eval-worker run` (or the program given); its log is on stderr."""
    program = arguments or ("-m", "eval_worker", "run")
    return subprocess.Popen([sys.executable, *program], env=environment, stderr=subprocess.PIPE)


def wait_until_ready(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stderr is not None
    for line in worker.stderr:
        if b'"ready"' in line:
            return
    raise AssertionError("the worker ended before it was ready")


def log_of(worker: subprocess.Popen[bytes]) -> str:
    """What the worker has logged since it was ready, once it has ended."""
    assert worker.stderr is not None
    return worker.stderr.read().decode()
