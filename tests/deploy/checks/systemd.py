"""The unit, by systemd-analyze: whether each line is understood, and how much a worker could do if broken into."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.deploy.checks.programs import complaints, complaints_if_it_fails, find_program
from tests.deploy.checks.report import Report

UNIT = "deploy/systemd/eval-worker@.service"
PROGRAM = "opt/eval-worker/bin/eval-worker"
SYSTEMS_UNITS = "usr/lib/systemd/system"  # which ours names
HIGHEST_EXPOSURE = 15  # of 100; without a network of its own it can't be much less


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
        said = complaints(analyze, "verify", "--man=no", f"--root={place}", instance, directory=place)
        shutil.copy(root / UNIT, place / instance)
        exposure = ("security", "--offline=true", f"--threshold={HIGHEST_EXPOSURE}", str(place / instance))
        return Report((UNIT,), said + complaints_if_it_fails(analyze, *exposure, directory=place)[-1:])
