"""TEST_REDIS chooses what the suite runs on: `single` (the default), `cluster`, or `tls` with users of few rights."""

import os
from enum import StrEnum


class Kind(StrEnum):
    SINGLE = "single"
    CLUSTER = "cluster"
    TLS = "tls"


KIND = Kind(os.environ.get("TEST_REDIS") or Kind.SINGLE)

EVENTS = "eval-events"
GROUP = "eval-group"

STREAMS_IN_ONE_SLOT = {
    "redis_stream_name": EVENTS,
    "redis_result_stream": f"{{{EVENTS}}}:results",
    "redis_dead_letter_stream": f"{{{EVENTS}}}:dead-letters",
}
"""What a cluster needs; a key without braces lies where its own name in another's braces does."""

STREAMS = {
    "redis_stream_name": EVENTS,
    "redis_result_stream": "eval-results",
    "redis_dead_letter_stream": "eval-dead-letters",
    **(STREAMS_IN_ONE_SLOT if KIND is Kind.CLUSTER else {}),
}
RESULTS = STREAMS["redis_result_stream"]
DEAD_LETTERS = STREAMS["redis_dead_letter_stream"]
