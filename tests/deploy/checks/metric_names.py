"""Which metrics and labels there are: what we expose, what Prometheus adds, what the rules record."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from tests.telemetry.monitoring_page import documented

from eval_worker.doors.http_api.observed import HttpMetrics
from eval_worker.telemetry.metrics import Metrics

SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "info": ("_info",)}
OF_PROMETHEUS = frozenset({"up", "ALERTS"})
LABELS_OF_PROMETHEUS = frozenset({"job", "instance", "le", "alertname", "alertstate", "severity"})
# Ours by their beginning, recorded ones by the colon of their level.
_METRIC = re.compile(r"\b(?:eval_\w+|process_\w+|up\b|ALERTS\b|[a-z]\w*:[\w:]+)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_GROUPING = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)")
_MATCHER = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*""')
_IN_WORDS = re.compile(r"\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}")  # in a legend or an annotation


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


@cache
def labels() -> frozenset[str]:
    """Return all labels that our metrics have, by the page that a test compares with what is exposed."""
    return LABELS_OF_PROMETHEUS.union(*(named for _, named in documented().values()))


def unknown_labels_in(expression: str, *words: str) -> Iterator[str]:
    """Yield what a query chooses or groups by, and what the words around it show, that is a label of nothing."""
    plain = _QUOTED.sub('""', expression)
    groups = (name.strip() for group in _GROUPING.findall(plain) for name in group.split(","))
    shown = (name for text in words for name in _IN_WORDS.findall(text))
    for name in dict.fromkeys((*groups, *_MATCHER.findall(plain), *shown)):
        if name and name not in labels():
            yield name


def recorded_by(rules: Iterable[dict[str, Any]]) -> frozenset[str]:
    return frozenset(rule["record"] for rule in rules if "record" in rule)
