"""BedrockModels around the fake, closed when a test is done with them."""

from collections.abc import Iterator

import boto3
import pytest
from tests.models.bedrock.calls import MODEL_ID, OpenModel

from eval_worker.models.bedrock.model import BedrockModel
from eval_worker.testing import FakeBedrock


@pytest.fixture
def open_model(bedrock: FakeBedrock, aws_session: boto3.Session) -> Iterator[OpenModel]:
    opened: list[BedrockModel] = []

    def opener(**options: object) -> BedrockModel:
        defaults = {
            "model_id": MODEL_ID,
            "region": "us-east-1",
            "endpoint_url": bedrock.url,
            "session": aws_session,
            "max_calls_in_flight": 4,
        }
        model = BedrockModel(**{**defaults, **options})  # pyright: ignore[reportArgumentType]
        opened.append(model)
        return model

    yield opener
    for model in opened:
        model.close()
