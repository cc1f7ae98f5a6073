"""`python -m benchmarks.limits.redis_loop`: a bare redis-py loop over REDIS_URL, with nothing that makes it safe.

It reads 256 entries at a time, parses them, and sends a result and an acknowledgement of each in one pipeline; with
DELETE_EVENTS=1 it deletes the entry as well, as the worker does.
"""

import json
import os
from typing import Any

import redis

from benchmarks.stream_names import EVENTS, GROUP, PAYLOAD_FIELD, RESULTS

_READ_AT_ONCE = 256
_BLOCK_MS = 500


def main() -> None:
    client: Any = redis.Redis.from_url(os.environ["REDIS_URL"], protocol=2, socket_timeout=None)
    delete = bool(os.environ.get("DELETE_EVENTS"))
    while True:
        for _, entries in client.xreadgroup(GROUP, "bare", {EVENTS: ">"}, count=_READ_AT_ONCE, block=_BLOCK_MS):
            _settle(client, entries, delete=delete)


def _settle(client: Any, entries: list[tuple[bytes, dict[bytes, bytes]]], *, delete: bool) -> None:
    pipeline = client.pipeline(transaction=False)
    for entry_id, fields in entries:
        event = json.loads(fields[PAYLOAD_FIELD.encode()])
        pipeline.xadd(RESULTS, {"event_id": event["event_id"], "verdict": "fail"})
        pipeline.xack(EVENTS, GROUP, entry_id)
        if delete:
            pipeline.xdel(EVENTS, entry_id)
    pipeline.execute()


if __name__ == "__main__":
    main()
