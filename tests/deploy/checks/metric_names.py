"""Which metrics there are: what the worker and the API expose, what Prometheus adds, what the rules record."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from eval_worker.doors.http_api.observed import HttpMetrics
from eval_worker.telemetry.metrics import Metrics

SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "info": ("_info",)}
OF_PROMETHEUS = frozenset({"up", "ALERTS"})
# Ours by their beginning, recorded ones by the colon of their level.
_METRIC = re.compile(r"\b(?:eval_\w+|process_\w+|up\b|ALERTS\b|[a-z]\w*:[\w:]+)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


@cache
def exposed() -> frozenset[str]:
    """Return the names as Prometheus reads them; births of counters, which nobody asks for, are left out."""
    registry = Metrics().registry
    HttpMetrics(registry)
    return frozenset(
        f"{family.name}{suffix}"
        for family in registry.collect()
        for suffix in SUFFIXES.get(family.type, ("",))
        if not family.name.endswith("_created")
    )


def unknown_in(expression: str, recorded: Iterable[str]) -> Iterator[str]:
    """Yield the names in a query that nothing exposes or records."""
    known = exposed() | OF_PROMETHEUS | frozenset(recorded)
    for name in dict.fromkeys(_METRIC.findall(_QUOTED.sub('""', expression))):
        if name not in known:
            yield name


def recorded_by(rules: Iterable[dict[str, Any]]) -> frozenset[str]:
    return frozenset(rule["record"] for rule in rules if "record" in rule)
