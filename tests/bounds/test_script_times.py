"""No script holds up the server for long, however much lies on it."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.bounds.script_times import fill, measure
from tests.servers.binaries import server_binary

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import load_settings

MOST_MILLISECONDS = 50.0


@pytest.fixture
def client() -> Iterator[Any]:
    """Of a server of its own, since this one is filled up and its slow log changed."""
    with (
        EmbeddedServer.on_socket(binary=server_binary()) as server,
        connect_sync(load_settings(redis_url=server.url)) as client,
    ):
        yield client


def test_with_a_hundred_thousand_pending_no_script_takes_fifty_milliseconds(client: Any):
    fill(client, entries=150_000, pending=100_000)

    took = list(measure(client))

    assert {each.what: each.milliseconds for each in took if each.milliseconds > MOST_MILLISECONDS} == {}
