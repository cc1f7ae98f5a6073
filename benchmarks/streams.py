"""The streams of a run: laid out alike for every subject, and watched from outside."""

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from redis.exceptions import ResponseError

from benchmarks.events import Payload, numbered
from benchmarks.figures import Throughput
from benchmarks.processes import Program
from benchmarks.server import rewrite_append_only_file
from benchmarks.stream_names import DEAD_LETTERS, EVENTS, GROUP, PAYLOAD_FIELD, RESULTS

WORKING_DATABASE, DATABASE_ASIDE = 0, 1
_IN_A_PIPELINE = 1_000
_POLL_SECONDS = 0.01
_LONGEST_SILENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Span:
    """What is timed: it begins with result number `warm_up`, and ends `seconds` later or with result number `last`."""

    warm_up: int
    last: int
    seconds: float = float("inf")


class Streams:
    """Preloaded streams are kept `aside`, in another database, and copied by the server for each run."""

    def __init__(self, client: Any, aside: Any) -> None:
        self.client = client
        self._aside = aside

    def preload(self, payload: Payload, count: int) -> str:
        """Store so many events; returns the key to lay out."""
        key = f"preloaded:{payload.__name__}:{count}"
        if self._aside.exists(key):
            return key
        events = itertools.islice(numbered(payload), count)
        while batch := list(itertools.islice(events, _IN_A_PIPELINE)):
            pipeline = self._aside.pipeline(transaction=False)
            for each in batch:
                pipeline.xadd(key, {PAYLOAD_FIELD: each})
            pipeline.execute()
        return key

    def lay_out(self, preloaded: str | None = None) -> None:
        """Begin anew: these events unread (none without a key), no results."""
        self.clear()
        if preloaded is not None:
            self._aside.copy(preloaded, EVENTS, destination_db=WORKING_DATABASE)
        self.client.xgroup_create(EVENTS, GROUP, id="0", mkstream=True)

    def clear(self) -> None:
        """Leave nothing but what is kept aside."""
        self.client.flushdb()
        rewrite_append_only_file(self.client)

    def forget(self, preloaded: str) -> None:
        """Make room: what is kept aside is rewritten with every run."""
        self._aside.delete(preloaded)

    def add(self, payloads: Sequence[bytes]) -> None:
        """Send these events, in one pipeline."""
        pipeline = self.client.pipeline(transaction=False)
        for each in payloads:
            pipeline.xadd(EVENTS, {PAYLOAD_FIELD: each})
        pipeline.execute()

    def results(self) -> int:
        """Count the results ever written: those trimmed since are counted, too."""
        try:
            return int(self.client.xinfo_stream(RESULTS)["entries-added"])
        except ResponseError:  # no result yet, so no such key
            return 0

    def throughput(self, span: Span, *programs: Program) -> Throughput:
        """Wait for the span to be over; returns the results that these programs wrote in it."""
        began_at, first = self.reach(span.warm_up, float("inf"), programs)
        used = sum(program.processor_seconds for program in programs)
        ended_at, last = self.reach(span.last, began_at + span.seconds, programs)
        used = sum(program.processor_seconds for program in programs) - used
        self._refuse_dead_letters()
        return Throughput((last - first) / (ended_at - began_at), (last - first) / used if used else float("nan"))

    def reach(self, count: int, until: float, programs: Sequence[Program]) -> tuple[float, int]:
        """Return when so many results were there, or what there is when the time is over."""
        seen, changed_at = -1, time.monotonic()
        while True:
            now, results = time.monotonic(), self.results()
            if results != seen:
                seen, changed_at = results, now
            if results >= count or now >= until:
                return now, results
            if now - changed_at > _LONGEST_SILENCE_SECONDS:
                raise TimeoutError(f"no result for {_LONGEST_SILENCE_SECONDS:.0f} s after {results}")
            for program in programs:
                program.check()
            time.sleep(_POLL_SECONDS)

    def _refuse_dead_letters(self) -> None:
        if letters := self.client.xlen(DEAD_LETTERS):
            raise RuntimeError(f"{letters} events of the benchmark became dead letters: they are no verdicts")
