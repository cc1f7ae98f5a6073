"""The unit, by systemd-analyze: whether each line is understood, and how much a worker could do if broken into."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.deploy.checks.programs import complaints, complaints_if_it_fails, find_program
from tests.deploy.checks.report import Report

UNIT = "deploy/systemd/eval-worker@.service"
PROGRAM = "opt/eval-worker/bin/eval-worker"
SYSTEMS_UNITS = "usr/lib/systemd/system"  # which ours names
HIGHEST_EXPOSURE = 15  # of 100; without a network of its own it can't be much less

_NAMES_UNITS = re.compile(r"^(After|Before|Wants|Requires|WantedBy)=(.*)$", re.MULTILINE)


def check_systemd(root: Path) -> Report:
    """In a root where the program is installed: systemd looks whether it is there."""
    analyze = find_program("systemd-analyze", "apt-get install systemd")
    with TemporaryDirectory(prefix="systemd-") as directory:
        place = Path(directory)
        units = place / "etc/systemd/system"
        units.mkdir(parents=True)
        shutil.copy(root / UNIT, units)
        shutil.copytree(Path("/") / SYSTEMS_UNITS, place / SYSTEMS_UNITS, symlinks=True)
        (place / "lib").symlink_to("usr/lib")
        (place / PROGRAM).parent.mkdir(parents=True)
        (place / PROGRAM).touch(mode=0o755)
        instance = "eval-worker@checked.service"
        said = (*_missing_units(units / Path(UNIT).name, place / SYSTEMS_UNITS),)
        said += complaints(analyze, "verify", "--man=no", f"--root={place}", instance, directory=place)
        shutil.copy(root / UNIT, place / instance)
        exposure = ("security", "--offline=true", f"--threshold={HIGHEST_EXPOSURE}", str(place / instance))
        return Report((UNIT,), said + complaints_if_it_fails(analyze, *exposure, directory=place)[-1:])


def _missing_units(unit: Path, of_the_system: Path) -> Iterator[str]:
    """Units that it names and the system does not have: to systemd these are no fault."""
    for key, names in _NAMES_UNITS.findall(unit.read_text(encoding="utf-8")):
        for name in names.split():
            if not (of_the_system / name).exists():
                yield f"{UNIT}: {key}= names {name}, which no system has"
