"""Compose's Prometheus sees the API's figures with keys and without; a real one, started as Compose starts it."""

from pathlib import Path

import pytest
from tests.doors.http_api.serving import serving
from tests.servers.ports import free_port
from tests.servers.prometheus import Prometheus
from tests.waiting import eventually_sync

from eval_worker.settings import load_settings

FIRST, SECOND = "the-first-of-the-keys", "the-second-of-them"


@pytest.mark.parametrize("keys", ["", f" {FIRST} , {SECOND}"])
def test_the_api_is_seen_with_several_keys_and_without(keys: str, tmp_path: Path):
    settings = load_settings(judge_model="offline", api_keys=keys or None)
    with serving(settings) as api:
        assert api.get("/metrics").status == (401 if keys else 200)
        targets = {"eval-worker": [f"127.0.0.1:{free_port()}"], "eval-api": [f"127.0.0.1:{api.port}"]}
        with Prometheus(tmp_path, targets, api_keys=keys) as prometheus:
            scraped = eventually_sync(lambda: prometheus.query('up{job="eval-api"}'))

    assert [series["value"][1] for series in scraped] == ["1"]
