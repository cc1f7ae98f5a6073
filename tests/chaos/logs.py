"""What the workers said."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

EXPECTED = "eval-worker: "  # the one plain line of a worker that was started while the server was away


def read_logs(directory: Path) -> tuple[Mapping[str, int], list[str]]:
    """Count the errors logged; return what is no log line at all: a traceback, a warning of the interpreter."""
    errors: Counter[str] = Counter()
    outbursts: list[str] = []
    for path in sorted(directory.glob("*.log")):
        for line in path.read_text(errors="replace").splitlines():
            try:
                document = json.loads(line)
            except ValueError:
                if not line.startswith(EXPECTED):
                    outbursts.append(f"{path.name}: {line}")
            else:
                if document["level"] == "error":
                    errors[document["event"]] += 1
    return dict(errors.most_common()), outbursts
