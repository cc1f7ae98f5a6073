"""A real client of the fake."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config

from eval_worker.testing import (
    FakeBedrock,
)


@pytest.fixture
def client(bedrock: FakeBedrock, aws_session: boto3.Session) -> Iterator[Any]:
    config = Config(retries={"total_max_attempts": 1}, read_timeout=60, max_pool_connections=200)
    made = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url, config=config)
    yield made
    made.close()
