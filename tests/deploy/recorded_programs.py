"""Programs that are none: each records what it was called with, and answers as a test says."""

import os
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.processes import ROOT

SCRIPTS = ROOT / "deploy" / "lambda" / "scripts"

_FIELD, _FILE, _END = "\x1f", "\x1d", "\x1e"
# In bash, as one in Python would take most of the tests' time to start.
_PROGRAM = r"""#!/bin/bash
line="${0##*/} $*"
{
  printf '%s' "${0##*/}"
  for word in "$@"; do printf '\x1f%s' "$word"; done
  for word in "$@"; do if [[ $word == file://* ]]; then printf '\x1d%s' "$(< "${word#file://}")"; fi; done
  printf '\x1e'
} >> CALLS
if [[ $line == *--password-stdin* ]]; then cat > /dev/null; fi
"""


@dataclass(frozen=True)
class Call:
    program: str
    arguments: list[str]
    files: list[str]

    @property
    def line(self) -> str:
        return " ".join([self.program, *self.arguments])


def _read_call(record: str) -> Call:
    words, *files = record.split(_FILE)
    program, *arguments = words.split(_FIELD)
    return Call(program, arguments, files)


def _answer(start: str, output: str, status: int) -> str:
    says = f"printf '%s\\n' {shlex.quote(output)}; " if output else ""
    return f"if [[ $line == {shlex.quote(start)}* ]]; then {says}exit {status}; fi\n"


@dataclass
class RecordedPrograms:
    """A PATH of its own with `aws` and `docker` on it; what was not told otherwise succeeds silently."""

    directory: Path
    missing: tuple[str, ...] = ()
    answers: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])

    def run(self, script: str, *arguments: str, says: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one of the scripts."""
        programs = self._make_programs()
        return subprocess.run(
            ["/bin/bash", str(SCRIPTS / script), *arguments],
            env={"PATH": f"{programs}:{self._without_the_real()}", "HOME": str(self.directory), **environment},
            input=says,
            text=True,
            capture_output=True,
            timeout=60,
            check=False,
            cwd=self.directory,
        )

    def calls(self, start: str = "") -> list[Call]:
        """What was called, in order."""
        written = self._calls.read_text(encoding="utf-8") if self._calls.exists() else ""
        calls = [_read_call(record) for record in written.split(_END)[:-1]]
        return [call for call in calls if call.line.startswith(start)]

    @property
    def _calls(self) -> Path:
        return self.directory / "calls"

    def _make_programs(self) -> Path:
        programs = self.directory / "programs"
        programs.mkdir(exist_ok=True)
        answers = "".join(_answer(start, *answer) for start, answer in self.answers.items())
        for name in {"aws", "docker"} - set(self.missing):
            path = programs / name
            path.write_text(_PROGRAM.replace("CALLS", shlex.quote(str(self._calls))) + answers, encoding="utf-8")
            path.chmod(0o755)
        return programs

    def _without_the_real(self) -> Path:
        """The few programs that every machine has, and neither AWS's nor Docker's."""
        usual = self.directory / "usual"
        usual.mkdir(exist_ok=True)
        for name in ("basename", "dirname", "date", "mktemp", "rm", "cat"):
            found = next(Path(part, name) for part in os.defpath.split(":") if part and Path(part, name).exists())
            (usual / name).unlink(missing_ok=True)
            (usual / name).symlink_to(found)
        return usual
