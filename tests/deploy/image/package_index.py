"""Where this machine's pip looks for packages, for a pip that can't see this machine's files. Written down nowhere."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FROM_THE_NETWORK = (Path("/etc/resolv.conf"), Path("/etc/hosts"), Path("/etc/ssl/certs"))


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """`environment` is for pip; `paths` have to be where they are here."""

    environment: dict[str, str]
    paths: tuple[Path, ...]


def this_machines_index() -> PackageIndex:
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    ).stdout
    configured = dict(re.findall(r"^(?:global|install|:env:)\.([\w-]+)='(.*)'$", listed, re.MULTILINE))
    environment = {f"PIP_{name.replace('-', '_').upper()}": value for name, value in configured.items()}
    environment |= {name: value for name, value in os.environ.items() if name.upper().endswith("_PROXY")}
    words = [word for value in environment.values() for word in value.split()]
    # An index on disk names files that lie beside it.
    indexes = {Path(word.removeprefix("file://")).parent for word in words if word.startswith("file:///")}
    files = {Path(word) for word in words if word.startswith("/")}
    paths = {path for path in indexes | files if path != Path("/")}.union(FROM_THE_NETWORK)
    return PackageIndex(environment, tuple(sorted(path for path in paths if path.exists())))
