"""Which results somebody wants to look at."""

from collections.abc import Iterable

from eval_worker.dashboard.facts import ResultFacts
from eval_worker.value_object import value_object


@value_object
class Selection:
    """None is any. `text` is looked for in any case; `since_ms` is the earliest moment."""

    agent: str | None = None
    version: str | None = None
    verdict: str | None = None
    text: str | None = None
    partial_only: bool = False
    since_ms: int | None = None

    def of(self, facts: Iterable[ResultFacts]) -> list[ResultFacts]:
        """Those that fit, in their order."""
        wanted = self.text.casefold() if self.text else None
        return [
            each
            for each in facts
            if (self.verdict is None or each.verdict == self.verdict)
            and (self.agent is None or each.agent == self.agent)
            and (self.version is None or each.version == self.version)
            and (self.since_ms is None or each.at_ms >= self.since_ms)
            and (each.partial or not self.partial_only)
            and (wanted is None or wanted in each.text)
        ]
