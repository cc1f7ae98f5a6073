"""TEST_REDIS chooses what the suite runs on: `single` (the default), `cluster`, or `tls` with users of few rights."""

import os
from enum import StrEnum


class Kind(StrEnum):
    SINGLE = "single"
    CLUSTER = "cluster"
    TLS = "tls"


KIND = Kind(os.environ.get("TEST_REDIS") or Kind.SINGLE)

# On a cluster the three streams have to share a slot, and a key without braces lies where its own name does.
EVENTS = "eval-events"
RESULTS = "{eval-events}:results" if KIND is Kind.CLUSTER else "eval-results"
DEAD_LETTERS = "{eval-events}:dead-letters" if KIND is Kind.CLUSTER else "eval-dead-letters"
GROUP = "eval-group"
