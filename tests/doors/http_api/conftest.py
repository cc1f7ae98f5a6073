"""Access lines are read by none of these tests."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(scope="package", autouse=True)
def quiet_log() -> Iterator[None]:
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    yield
    structlog.configure(**before)
