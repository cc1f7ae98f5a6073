"""docs/monitoring.md lists every metric that the worker and the API expose, and no other."""

from collections.abc import Iterator

from tests.telemetry.monitoring_page import documented

from eval_worker.doors.http_api.observed import HttpMetrics
from eval_worker.telemetry.metrics import Metrics
from eval_worker.telemetry.partition_metrics import PartitionMetrics

NAMED_BY_KIND = {"counter": "_total", "info": "_info"}


def exposed() -> Iterator[tuple[str, str]]:
    registry = Metrics().registry
    HttpMetrics(registry)
    PartitionMetrics(registry)
    for family in registry.collect():
        yield family.name + NAMED_BY_KIND.get(family.type, ""), family.type


def test_the_page_lists_what_is_exposed():
    assert {name: kind for name, (kind, _) in documented().items()} == dict(exposed())
