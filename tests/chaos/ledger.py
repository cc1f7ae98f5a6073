"""The accounts: what was sent, what became of it, and what must never be."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

Verdict = tuple[Any, ...]
"""What must be the same with and without faults: everything that was judged, nothing of when, where and how often."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result or a dead letter, as it stands on its stream."""

    source_id: str
    verdict: Verdict
    deliveries: int
    event_id: str | None = None  # as a result names it; a dead letter has none

    @classmethod
    def of_result(cls, fields: Mapping[bytes, bytes]) -> Self:
        document = json.loads(fields[b"payload"])
        stages = tuple((stage["name"], stage["score"], stage["status"]) for stage in document["stages"])
        flags = document["early_exit"], document["partial"]
        verdict = (document["verdict"], document["confidence"], *flags, stages)
        return cls(document["source_id"], verdict, document["attempt"], document["id"])

    @classmethod
    def of_dead_letter(cls, fields: Mapping[bytes, bytes]) -> Self:
        verdict = ("dead letter", fields[b"error"].decode())
        return cls(fields[b"source_id"].decode(), verdict, int(fields[b"deliveries"]))


@dataclass(frozen=True, slots=True)
class Difference:
    source_id: str
    calm: Verdict
    found: Verdict


@dataclass(frozen=True, slots=True)
class Ledger:
    """`expected` maps each stream entry that was sent to its verdict of the calm run, `sent` to its event id."""

    expected: Mapping[str, Verdict]
    sent: Mapping[str, str]
    outcomes: Sequence[Outcome]

    @property
    def lost(self) -> list[str]:
        """Events without an outcome."""
        found = {outcome.source_id for outcome in self.outcomes}
        return [source_id for source_id in self.expected if source_id not in found]

    @property
    def doubled(self) -> list[str]:
        """Events with more than one."""
        counts = Counter(outcome.source_id for outcome in self.outcomes)
        return [source_id for source_id, count in counts.items() if count > 1]

    @property
    def unknown(self) -> list[str]:
        """Outcomes of what was never sent."""
        return [outcome.source_id for outcome in self.outcomes if outcome.source_id not in self.expected]

    @property
    def differing(self) -> list[Difference]:
        """Verdicts that a fault has made."""
        return [
            Difference(outcome.source_id, self.expected[outcome.source_id], outcome.verdict)
            for outcome in self.outcomes
            if outcome.source_id in self.expected and outcome.verdict != self.expected[outcome.source_id]
        ]

    @property
    def mistaken(self) -> list[str]:
        """Results that name another event than the one of their entry."""
        return [
            outcome.source_id
            for outcome in self.outcomes
            if outcome.event_id is not None and outcome.event_id != self.sent.get(outcome.source_id)
        ]

    @property
    def charged(self) -> int:
        """Deliveries beyond the first of each."""
        return sum(outcome.deliveries - 1 for outcome in self.outcomes)

    @property
    def deliveries(self) -> dict[int, int]:
        """How many outcomes came of the nth delivery: all beyond the first were charged to the event."""
        return dict(sorted(Counter(outcome.deliveries for outcome in self.outcomes).items()))

    @property
    def verdicts(self) -> dict[str, int]:
        return dict(Counter(str(outcome.verdict[0]) for outcome in self.outcomes).most_common())

    def problems(self) -> list[str]:
        """One line for each promise that was broken; empty if all were kept."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        found["without an outcome"] = self.lost
        found["with more than one outcome"] = self.doubled
        found["judged that were never sent"] = self.unknown
        found["whose result names another event"] = self.mistaken
        found["judged otherwise than in the calm run"] = [
            f"{difference.source_id} {difference.calm} -> {difference.found}" for difference in self.differing
        ]
        return [
            f"{len(examples)} events {what}: {'; '.join(examples[:3])}" for what, examples in found.items() if examples
        ]
