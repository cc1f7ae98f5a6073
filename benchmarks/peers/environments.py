"""The virtual environments of the peers, made when they are needed and whenever their list of packages changes."""

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.processes import ROOT

_PLACE = ROOT / ".eval-worker" / "peers"
_LISTS = Path(__file__).parent
_MADE_FROM = "made-from.txt"


class NotInstalledError(Exception):
    """The peer's packages can't be had here; the message is what pip said last."""


def python_with(peer: str) -> str:
    """Return the path of a Python that has the peer's packages.

    Raises:
        NotInstalledError: they can't be installed.
    """
    folder, wanted = _PLACE / peer, (_LISTS / f"{peer}.txt").read_text(encoding="utf-8")
    python, made_from = folder / "bin" / "python", folder / _MADE_FROM
    if made_from.exists() and made_from.read_text(encoding="utf-8") == wanted:
        return str(python)
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(folder)])
    _run([str(python), "-m", "pip", "install", "--quiet", "-r", str(_LISTS / f"{peer}.txt")])
    made_from.write_text(wanted, encoding="utf-8")
    return str(python)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (our own command)
    if done.returncode:
        raise NotInstalledError((done.stderr.strip().splitlines() or ["pip said nothing"])[-1])
