"""Judgements kept in this process for a while, for the doors that have no Redis."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from eval_worker.evaluation.judges.model import Judgement

MOST_KEPT = 10_000  # judgements: some kilobytes each at worst


@dataclass(frozen=True, slots=True)
class _Kept:
    judgement: Judgement
    until: float


class MemoryJudgementCache:
    """The newest judgements, each for `kept_seconds`. Of those who want the same one at once, one asks."""

    def __init__(self, kept_seconds: float, clock: Callable[[], float], *, most_kept: int = MOST_KEPT) -> None:
        self._kept_seconds = kept_seconds
        self._clock = clock
        self._most_kept = most_kept
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._asking: dict[str, asyncio.Event] = {}

    async def claim(self, key: str) -> Judgement | None:
        """Return the judgement, or None: then it is for the caller to ask. Waits while another one does."""
        while asking := self._asking.get(key):
            await asking.wait()
        kept = self._kept.get(key)
        if kept is not None and self._clock() < kept.until:
            return kept.judgement
        self._asking[key] = asyncio.Event()
        return None

    def keep(self, key: str, judgement: Judgement) -> None:
        self._kept[key] = _Kept(judgement, self._clock() + self._kept_seconds)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most_kept:
            self._kept.popitem(last=False)
        self.forgo(key)

    def forgo(self, key: str) -> None:
        """Let another one ask: there is no judgement to keep."""
        if asking := self._asking.pop(key, None):
            asking.set()
