"""The table of metrics in docs/monitoring.md."""

import re

from tests.processes import ROOT

_ROW = re.compile(r"^\| `(\w+)(?:\{([\w,]+)\})?` \| (counter|gauge|histogram|info) \|", re.MULTILINE)


def documented() -> dict[str, tuple[str, set[str]]]:
    """Return each metric with its kind and its labels."""
    page = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
    return {name: (kind, set(labels.split(",")) - {""}) for name, labels, kind in _ROW.findall(page)}
