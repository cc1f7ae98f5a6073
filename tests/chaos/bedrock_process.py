"""The fake Bedrock of a run, as a process."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

from eval_worker.testing import RemoteFakeBedrock

CALL_SECONDS = "0.2"


@contextmanager
def fake_bedrock() -> Generator[RemoteFakeBedrock]:
    """In a process of its own: it answers thousands of calls while this one waits for others."""
    command = [sys.executable, "-m", "eval_worker.testing.fake_bedrock", "--port", "0", "--latency", CALL_SECONDS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield RemoteFakeBedrock(process.stdout.readline().strip())
        finally:
            process.terminate()
