"""`python -m benchmarks.subjects.instant_worker`: a worker whose judges answer at once, or after LATENCY_SECONDS.

All that the worker itself costs an event that is judged, without what a provider's client costs.
"""

import asyncio
import os

from eval_worker.daemon import run_daemon
from eval_worker.evaluation.judges.model import Judgement
from eval_worker.process_exit import leave, leave_on_signals
from eval_worker.settings import load_settings


class InstantModel:
    """Says the same of everything."""

    name = "instant"

    def __init__(self, latency_seconds: float) -> None:
        self._latency = latency_seconds
        self._judgement = Judgement(1.0, "The answer speaks of what the query asks.")

    async def ask(self, request: object) -> Judgement:
        del request
        if self._latency:
            await asyncio.sleep(self._latency)
        return self._judgement

    def close(self) -> None:
        """Nothing is open."""


def main() -> None:
    leave_on_signals()
    latency = float(os.environ.get("LATENCY_SECONDS", "0"))
    run_daemon(load_settings(judge_model="offline"), make_model=lambda _settings, _judges: InstantModel(latency))
    leave(0)


if __name__ == "__main__":
    main()
