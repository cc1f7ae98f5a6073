"""Where figures were made: without that they say nothing."""

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eval_worker import __version__

_GIB = 2**30


def machine(client: Any) -> Mapping[str, str]:
    """Return what there is to say about this machine and the server."""
    server: Mapping[str, Any] = client.info("server")
    name = "Valkey" if "valkey_version" in server else "Redis"
    version = server.get("valkey_version", server["redis_version"])
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "eval-worker": __version__,
        "processor": f"{os.cpu_count()} cores, {_processor()}",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / _GIB:.0f} GiB",
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "python": platform.python_version(),
        "server": f"{name} {version}, appendonly yes, appendfsync everysec",
    }


def _processor() -> str:
    """Linux has the name in /proc; elsewhere the architecture has to do."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text(encoding="utf-8").splitlines() if about.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
