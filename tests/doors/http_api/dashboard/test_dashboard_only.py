"""`eval-worker api --dashboard-only`: the page and its data, and nothing that judges."""

import socket
from typing import Any

from pydantic import SecretStr
from tests.command_line import run
from tests.doors.http_api.serving import EVALUATE, serving
from tests.events import event
from tests.planted_secrets import API_KEY
from tests.stored_results import add_result, make_result
from tests.waiting import eventually_sync

from eval_worker.settings import Settings


def test_it_serves_the_page_its_data_and_health(settings: Settings, redis_client: Any):
    add_result(redis_client, make_result("a"), key=settings.redis_result_stream)
    with serving(settings, page_alone=True) as api:
        eventually_sync(lambda: [row["event_id"] for row in api.get("/api/v1/overview").document["rows"]] == ["a"])

        assert [api.get(path).status for path in ("/", "/api/v1/health", "/docs")] == [200, 200, 200]
        assert sorted(api.get("/openapi.json").document["paths"]) == [
            "/api/v1/dead-letters",
            "/api/v1/dead-letters/purge",
            "/api/v1/dead-letters/replay",
            "/api/v1/dead-letters/{entry_id}",
            "/api/v1/health",
            "/api/v1/overview",
            "/api/v1/results/{entry_id}",
        ]
        assert api.post(EVALUATE, event()).status == 404
        assert api.get("/metrics").status == 404


def test_it_asks_for_keys_as_the_api_does(settings: Settings):
    with serving(settings, page_alone=True, api_keys=SecretStr(API_KEY)) as api:
        assert api.get("/").status == 200
        assert api.get("/api/v1/overview").status == 401
        assert api.get("/api/v1/overview", X_API_Key=API_KEY).status == 200
        assert api.get("/openapi.json").document["paths"]["/api/v1/overview"]["get"]["security"]


def test_it_needs_no_credentials_for_a_model():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("eval_worker", "api", "--dashboard-only", "--port", str(taken.getsockname()[1]))

    assert done.code == 2
    assert done.err.startswith("eval-worker: API_HOST, EVAL_AGENT_API_PORT: 127.0.0.1")  # it got as far as that
