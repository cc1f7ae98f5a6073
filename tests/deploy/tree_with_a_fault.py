"""A checkout in which one thing is wrong."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.processes import ROOT

NOT_OF_THE_TREE = {".git", ".venv", ".eval-worker"}


@dataclass(frozen=True, slots=True)
class Fault:
    """`wrong` stands in the file where `right` stood; `finding` is what the check has to say of it."""

    check: str
    file: str
    right: str
    wrong: str
    finding: str

    def __str__(self) -> str:
        return f"{self.check}: {self.wrong.strip()}"


def plant(fault: Fault, directory: Path) -> None:
    """Make the tree in an empty directory. What the fault is not in are links to the real files."""
    touched = Path(fault.file).parts[0]
    for entry in ROOT.iterdir():
        if entry.name == touched and entry.is_dir():
            shutil.copytree(entry, directory / entry.name)
        elif entry.name == touched:
            shutil.copy(entry, directory)
        elif entry.name not in NOT_OF_THE_TREE:
            (directory / entry.name).symlink_to(entry)
    file = directory / fault.file
    text = file.read_text(encoding="utf-8")
    assert text.count(fault.right) == 1, f"{fault.file} has {fault.right!r} {text.count(fault.right)} times"
    file.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
