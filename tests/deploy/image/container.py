"""What `docker run --read-only` does with an image: its command as the first process, as nobody, writing nowhere."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Self

from tests.deploy.image.image import Image
from tests.waiting import eventually_sync

PROBE_SECONDS = 20


class Container:
    """Runs inside `with`. `environment` is added to the image's; it shares this machine's network."""

    def __init__(self, image: Image, *arguments: str, environment: Mapping[str, str]) -> None:
        self._image = image
        self._arguments = list(arguments) or image.command
        self._root = replace(image.root, environment={**image.root.environment, **environment}, read_only=True)
        self.log: list[str] = []

    def __enter__(self) -> Self:
        command = self._root.command(*self._image.entrypoint, *self._arguments)
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._process.poll() is None:
            os.kill(self.pid, signal.SIGKILL)  # and with the first process all others go
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        self.log.extend(self._process.stdout)

    @property
    def pid(self) -> int:
        """The process that is the container's first, as this machine numbers it, once it is inside."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        (child,) = eventually_sync(lambda: children.read_text(encoding="ascii").split())
        eventually_sync(lambda: Path(f"/proc/{child}/root").samefile(self._root.directory))
        return int(child)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command inside, as `docker exec` does."""
        command = self._root.beside(self.pid, *words)
        return subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)

    def wait_until_healthy(self) -> None:
        def looked() -> bool:
            assert self._process.poll() is None, "".join(self.log)
            return self.run(*self._image.health_check).returncode == 0

        eventually_sync(looked)

    def stop(self, seconds: float) -> int:
        """Send the image's stop signal to the first process, as `docker stop` does, and return its exit code."""
        os.kill(self.pid, signal.Signals[self._image.stop_signal])
        return self._process.wait(seconds)
