"""What may be chosen of a run, and the workers' settings in it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from tests.processes import IMPORT_PATH

from eval_worker.testing import RemoteFakeBedrock

READ_AHEAD = 64  # all that a worker holds at a time


@dataclass(frozen=True, slots=True)
class Options:
    """`seconds` is how long events are sent and faults come; judging may take longer. `only` names kinds of fault."""

    seed: int
    seconds: float
    events: int
    workers: int = 4
    faults_per_minute: float = 12.0
    lease_seconds: float = 5.0
    drain_seconds: float = 5.0
    only: Sequence[str] = ()
    poison: bool = True

    def environment(self, redis_addr: str, bedrock: RemoteFakeBedrock) -> dict[str, str]:
        """What a worker is started with; nothing of the developer's own reaches it."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "REDIS_"))}
        ours = {
            "PYTHONPATH": IMPORT_PATH,
            "REDIS_ADDR": redis_addr,
            "JUDGE_MODEL": "bedrock",
            "METRICS_PORT": "0",
            "LOG_FORMAT": "json",
            "RESULTS_MAXLEN": "0",
            "MAX_DELIVERIES": "1000",
            "READ_AHEAD": str(READ_AHEAD),
            # Long enough for a worker that was frozen to finish what others have taken over.
            "JUDGE_TIMEOUT_SECONDS": f"{2 * self.lease_seconds + 2:g}",
            "LEASE_SECONDS": f"{self.lease_seconds:g}",
            "DRAIN_SECONDS": f"{self.drain_seconds:g}",
        }
        return {**kept, **ours, **bedrock.environment()}
