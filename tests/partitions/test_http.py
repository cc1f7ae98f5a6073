"""The HTTP door to a stream that is divided."""

import json
from typing import Any

from tests.doors.http_api.serving import serving
from tests.doors.http_api.test_stream_routes import LOOK, SEND, result
from tests.events import event
from tests.waiting import eventually_sync

from eval_worker.partitions import Partitioner, partitions_of
from eval_worker.settings import Settings
from eval_worker.stream.partition_count import count_key


def test_an_event_goes_to_its_partition_and_its_id_says_to_which(partitioned: Settings, redis_client: Any):
    body = json.dumps(event("evt-7")).encode()
    place = Partitioner(partitioned).partition_of(body)

    with serving(partitioned) as api:
        reply = api.post(SEND, body)

    ((entry_id, _),) = redis_client.xrange(place.events)
    assert (reply.status, reply.document["id"]) == (202, f"{place.number}/{entry_id.decode()}")


def test_an_event_that_no_worker_would_read_is_refused(partitioned: Settings, redis_client: Any):
    redis_client.set(count_key("eval-events"), 2)

    with serving(partitioned) as api:
        reply = api.post(SEND, event())

    assert reply.status == 503
    assert "the workers have 2" in reply.error
    assert not any(redis_client.exists(each.events) for each in partitions_of(partitioned))


def test_results_of_all_partitions_come_newest_first(partitioned: Settings, redis_client: Any):
    partitions = partitions_of(partitioned)
    for number in range(6):
        redis_client.xadd(partitions[number % 3].results, result(f"evt-{number}"), id=f"{number + 1}-0")

    with serving(partitioned) as api:
        found = [each["id"] for each in api.get(f"{LOOK}?limit=4").document["results"]]

    assert found == ["evt-5", "evt-4", "evt-3", "evt-2"]


def test_the_live_page_shows_all_partitions_and_opens_what_lies_in_one(partitioned: Settings, redis_client: Any):
    partitions = partitions_of(partitioned)
    for number in range(6):
        redis_client.xadd(partitions[number % 3].results, result(f"evt-{number}"), id=f"{1_700_000_000_000 + number}-0")
    letter = {"payload": b"{}", "fields": b'{"payload": "{}"}', "reason": "no", "source_id": "1/1-0"}
    redis_client.xadd(partitions[1].dead_letters, letter, id="5-0")

    with serving(partitioned) as api:
        eventually_sync(lambda: len(api.get("/api/v1/overview").document["rows"]) == 6)
        overview = api.get("/api/v1/overview").document
        opened = api.get("/api/v1/results/2%2F1700000000002-0")
        letters = api.get("/api/v1/dead-letters").document["letters"]
        shown = api.get("/api/v1/dead-letters/1%2F5-0")
        unknown = api.get("/api/v1/results/7%2F1-0")

    assert [row["id"] for row in overview["rows"]][:2] == ["2/1700000000005-0", "1/1700000000004-0"]
    assert (opened.status, opened.document["id"]) == (200, "evt-2")
    assert [each["id"] for each in letters] == ["1/5-0"]
    assert (shown.status, unknown.status) == (200, 404)
