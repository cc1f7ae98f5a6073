"""Puts together who asks the model: each judge by itself or all in one call, through the cache where there is one."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval_worker import __version__
from eval_worker.evaluation.judges.asker import AttemptObserver, Patience, ignore_attempt
from eval_worker.evaluation.judges.cache import CachedCombinedAsker, CachedJudge, JudgementCache
from eval_worker.evaluation.judges.combined import CombinedJudges
from eval_worker.evaluation.judges.definition import JudgeDefinition, JudgeSet
from eval_worker.evaluation.judges.judge import Judge, StageJudge
from eval_worker.evaluation.judges.model import JudgeModel, LanguageModel
from eval_worker.evaluation.judges.panel import CombinedAsker, Panel
from eval_worker.evaluation.judges.waves import parse_waves
from eval_worker.judgements.memory_cache import MemoryJudgementCache
from eval_worker.settings import Settings

if TYPE_CHECKING:
    from eval_worker.telemetry.tracing.tracing import Tracing

_CLOCK_NS = time.perf_counter_ns


def memory_cache(settings: Settings, clock: Callable[[], float] = time.monotonic) -> JudgementCache | None:
    """Make the cache of a process that has no Redis, if judgements are to be kept."""
    return MemoryJudgementCache(settings.judgement_cache_seconds, clock) if keeps_judgements(settings) else None


def keeps_judgements(settings: Settings) -> bool:
    """Whether there is something to save: the offline model's judgements cost less than to look them up."""
    return settings.judgement_cache_seconds > 0 and settings.judge_model != "offline"


@dataclass(frozen=True, slots=True)
class Asking:
    """How all that one process judges is asked."""

    settings: Settings
    model: JudgeModel
    patience: Patience
    on_attempt: AttemptObserver = ignore_attempt
    cache: JudgementCache | None = None
    tracing: "Tracing | None" = None

    def panel(self, judges: JudgeSet) -> Panel:
        waves = parse_waves(self.settings.judge_waves)
        return Panel([self.judge(each) for each in judges.judges], self._combined(), waves)

    def judge(self, definition: JudgeDefinition) -> StageJudge:
        judge: StageJudge = Judge(definition, self.model, self.patience, _CLOCK_NS, self.on_attempt)
        if self.cache is not None:
            judge = CachedJudge(judge, self.cache, asked_how=self._how("separate"), clock_ns=_CLOCK_NS)
        return judge if self.tracing is None else self.tracing.judge(judge)

    def _combined(self) -> CombinedAsker | None:
        if self.settings.judge_calls != "combined" or not isinstance(self.model, LanguageModel):
            return None  # the offline model makes no calls
        combined: CombinedAsker = CombinedJudges(self.model, self.patience, _CLOCK_NS, self.on_attempt)
        if self.cache is not None:
            combined = CachedCombinedAsker(combined, self.cache, asked_how=self._how("combined"), clock_ns=_CLOCK_NS)
        return combined if self.tracing is None else self.tracing.combined(combined)

    def _how(self, judge_calls: str) -> str:
        """Say what shapes a judgement besides its judge and the text. The version stands for the words of prompts."""
        params = json.dumps(self.settings.chat_model_params, sort_keys=True)
        return json.dumps([__version__, self.model.name, self.settings.judge_output, judge_calls, params])
