"""A Debian with Python and nothing else, in place of the base image; kept in the user's cache from run to run."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SUITE = "bookworm"  # Python 3.11, the oldest that the worker runs on
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
NOT_NEEDED = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")


def bare_root() -> Path:
    """Return its directory, which nobody may write to: it is copied."""
    if os.geteuid() != 0:
        pytest.skip("needs root, for namespaces and file systems of its own")
    mmdebstrap = shutil.which("mmdebstrap")
    if mmdebstrap is None:
        pytest.skip("needs mmdebstrap: apt-get install mmdebstrap")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "eval-worker"
    cache.mkdir(parents=True, exist_ok=True)
    root = cache / f"debian-{SUITE}-python"
    with (cache / f"{root.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.exists():
            _make(mmdebstrap, root)
    return root


def _make(mmdebstrap: str, root: Path) -> None:
    """Under another name until it is whole, so that one that was cut off is never taken for it."""
    unfinished = root.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    options = ["--mode=root", "--variant=essential", "--include=python3-venv"]
    options += [f"--dpkgopt=path-exclude={pattern}" for pattern in NOT_NEEDED]
    done = subprocess.run([mmdebstrap, *options, SUITE, str(unfinished)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    unfinished.rename(root)
