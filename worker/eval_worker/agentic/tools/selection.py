"""Whether the right tools were chosen: names, counted as often as they were called."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from eval_worker.agentic.tools.tool_use import ToolCall

SelectionMeasure = Literal["f1", "precision", "recall"]


@dataclass(frozen=True, slots=True)
class Selection:
    """How often each tool was called and should have been. Names compare exactly."""

    used: Counter[str]
    expected: Counter[str]
    forbidden: list[str]
    """Those of the forbidden tools that were used."""

    @classmethod
    def of(
        cls, used: Sequence[ToolCall], expected: Sequence[ToolCall], forbidden_tools: Collection[str]
    ) -> "Selection":
        counts = Counter(call.tool_name for call in used)
        forbidden = [name for name in counts if name in forbidden_tools]
        return cls(counts, Counter(call.tool_name for call in expected), forbidden)

    @property
    def matched(self) -> int:
        return (self.used & self.expected).total()

    @property
    def missing(self) -> list[str]:
        return list(self.expected - self.used)

    @property
    def extra(self) -> list[str]:
        return list(self.used - self.expected)

    @property
    def precision(self) -> float:
        """Of the calls that were made, the share that was expected; 1 where none was made and none expected."""
        return self._share_of(self.used)

    @property
    def recall(self) -> float:
        """Of the expected calls, the share that was made; 1 where none was expected and none made."""
        return self._share_of(self.expected)

    @property
    def f1(self) -> float:
        """The harmonic mean of both, which for multisets is Dice's coefficient."""
        calls = self.used.total() + self.expected.total()
        return 2 * self.matched / calls if calls else 1.0

    def score(self, measure: SelectionMeasure) -> float:
        """Return the measure that was asked for; 0 where a forbidden tool was used."""
        if self.forbidden:
            return 0.0
        return {"f1": self.f1, "precision": self.precision, "recall": self.recall}[measure]

    def _share_of(self, calls: Counter[str]) -> float:
        if not calls:
            return 0.0 if self.used or self.expected else 1.0
        return self.matched / calls.total()
