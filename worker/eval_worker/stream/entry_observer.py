"""Who follows each entry through its life here, from the read to the end."""

from collections.abc import Sequence
from typing import Protocol

from eval_worker.assessment import AnyEvent
from eval_worker.evaluation.aggregate import Evaluation
from eval_worker.stream.entry import Entry
from eval_worker.stream.release import Release
from eval_worker.stream.settle import Settlement


class EntryObserver(Protocol):
    """Told of each step when it is done. It must be quick, and must not raise."""

    def taken(self, entries: Sequence[Entry]) -> None: ...

    def screening(self) -> None:
        """Screening of a batch begins."""
        ...

    def screened(self, entries: Sequence[Entry], events: Sequence[object], assessments: Sequence[object]) -> None:
        """The free stages of a batch are done. What is no event or no assessment was a dead letter or a bug."""
        ...

    def judging(self, entry: Entry, event: AnyEvent) -> None:
        """The judges are asked from now on, in the current task."""
        ...

    def judged(self, entry: Entry, evaluation: Evaluation) -> None: ...

    def failed(self, entry: Entry, bug: Exception) -> None: ...

    def released(self, releases: Sequence[Release]) -> None: ...

    def lost(self, entry_id: str) -> None:
        """Another worker has the entry now."""
        ...

    def settled(self, settlement: Settlement, first: bool) -> None:  # noqa: FBT001 (as the settler calls it)
        """The outcome is written, here or (not `first`) by another worker."""
        ...


class Unobserved:
    """Nobody does."""

    def taken(self, entries: Sequence[Entry]) -> None: ...

    def screening(self) -> None: ...

    def screened(self, entries: Sequence[Entry], events: Sequence[object], assessments: Sequence[object]) -> None: ...

    def judging(self, entry: Entry, event: AnyEvent) -> None: ...

    def judged(self, entry: Entry, evaluation: Evaluation) -> None: ...

    def failed(self, entry: Entry, bug: Exception) -> None: ...

    def released(self, releases: Sequence[Release]) -> None: ...

    def lost(self, entry_id: str) -> None: ...

    def settled(self, settlement: Settlement, first: bool) -> None: ...  # noqa: FBT001 (as above)


UNOBSERVED = Unobserved()
