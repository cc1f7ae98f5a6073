"""The checking programs, which are installed beside Python or by the system."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SECONDS = 60
BESIDE_PYTHON = Path(sys.executable).parent


class MissingProgramError(Exception):
    """The program is not installed; the message says how to."""


def find_program(name: str, how: str) -> str:
    """Return the path of the program.

    Raises:
        MissingProgramError: it is not there, and `how` it is installed.
    """
    found = shutil.which(name, path=os.pathsep.join([str(BESIDE_PYTHON), os.environ.get("PATH", os.defpath)]))
    if found is None:
        raise MissingProgramError(f"needs {name}: {how}")
    return found


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended, and what it wrote on stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for line in (self.out + self.err).splitlines() if line.strip())


def complaints(*command: str, directory: Path, environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Run a program that has nothing to say when all is well, and return what it says or how it failed."""
    done = run(*command, directory=directory, environment=environment)
    return done.lines or ((f"{Path(command[0]).name} ended with {done.code}",) if done.code else ())


def complaints_if_it_fails(*command: str, directory: Path) -> tuple[str, ...]:
    """Run a program that talks when all is well, too: what it says counts where it ends with a failure."""
    done = run(*command, directory=directory)
    return done.lines or (f"{Path(command[0]).name} ended with {done.code}",) if done.code else ()


def run(*command: str, directory: Path, environment: Mapping[str, str] | None = None) -> Finished:
    done = subprocess.run(
        command,
        cwd=directory,
        env=None if environment is None else dict(environment),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)
