"""Events under load, and what is counted at the end: for every source id that is known to be there, one outcome."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.events import GOOD_ANSWER, dead_letters, event, results, send
from tests.waiting import eventually

from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.settings import Settings

PAUSE_SECONDS = 0.01
REPLICATED_WITHIN_MS = 2_000


class Load:
    """Sends events one after the other and counts their outcomes, each time from where the streams are at the moment.

    `prefix` is what stands before a source id in the outcomes. `replicas`: how many must have an event before it
    counts as sent; only then does it outlive the primary.
    """

    def __init__(self, settings: Settings, client: Callable[[], Any], *, replicas: int = 0, prefix: str = "") -> None:
        self._settings = settings
        self._client = client
        self._replicas = replicas
        self._prefix = prefix
        self.sent: list[str] = []

    async def send(self, count: int) -> None:
        """Send until so many more were surely taken."""
        wanted = len(self.sent) + count
        while len(self.sent) < wanted:
            source_id = await asyncio.to_thread(self._send_one)
            if source_id is not None:
                self.sent.append(source_id)
            await asyncio.sleep(PAUSE_SECONDS)

    async def all_judged(self, *, within: float) -> None:
        """Wait until everything sent has an outcome, and see that it has one only."""
        await eventually(lambda: set(self.sent) <= set(self.outcomes()), within=within)
        assert set(self.outcomes().values()) == {1}

    def outcomes(self) -> Counter[str]:
        """How many outcomes each source id has; none while nobody answers."""
        try:
            with self._client() as client:
                letters = dead_letters(client, self._settings.redis_dead_letter_stream)
                judged = results(client, self._settings.redis_result_stream)
        except REDIS_ERRORS:
            return Counter()
        ids = [letter["source_id"].decode() for letter in letters] + [result["source_id"] for result in judged]
        return Counter(ids)

    def _send_one(self) -> str | None:
        try:
            with self._client() as client:
                event_id = f"evt-{self._prefix}{len(self.sent):04}"  # in the answer too: none is in a cache
                document = event(event_id, answer=f"{GOOD_ANSWER} ({event_id})")
                source_id = send(client, document, self._settings.redis_stream_name)
                if self._replicas and client.wait(self._replicas, REPLICATED_WITHIN_MS) < self._replicas:
                    return None
        except REDIS_ERRORS:
            return None
        return self._prefix + source_id
