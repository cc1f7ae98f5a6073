"""A plain server and settings with three partitions."""

import pytest
from tests.servers.access_rights import User
from tests.servers.suite_server import SuiteServer

from eval_worker.partitions import partitions_of
from eval_worker.settings import Settings, load_settings
from eval_worker.stream.partition_count import count_key

PARTITIONS = 3


@pytest.fixture
def partitioned(empty_server: SuiteServer, lasting_keys: set[str]) -> Settings:
    """The worker's settings. Its keys are as lasting as the three streams are without partitions."""
    place = empty_server.settings_of(User.WORKER)
    settings = load_settings(**place, judge_model="offline", stream_partitions=PARTITIONS)
    lasting_keys.add(count_key(settings.redis_stream_name))
    for each in partitions_of(settings):
        lasting_keys.update({each.events, each.results, each.dead_letters})
    return settings
