from collections.abc import Iterator

import pytest
from tests.telemetry.collector import Collector, collecting


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector
