"""The offline model: a judge by rules, for trying, testing and running without a network."""

import threading
from collections import OrderedDict
from collections.abc import Callable

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.model import CannotJudge, Judgement
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.models.daemon_thread_pool import DaemonThreadPool
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.correctness.correctness import judge_correctness
from eval_worker.models.offline.judges.coherence import judge_coherence
from eval_worker.models.offline.judges.completeness import judge_completeness
from eval_worker.models.offline.judges.faithfulness import judge_faithfulness
from eval_worker.models.offline.judges.instruction import judge_instruction
from eval_worker.models.offline.judges.relevance import judge_relevance

_Judge = Callable[[Analysis], Judgement | CannotJudge]

_JUDGES: dict[str, _Judge] = {
    "relevance": judge_relevance,
    "faithfulness": judge_faithfulness,
    "coherence": judge_coherence,
    "completeness": judge_completeness,
    "instruction": judge_instruction,
    "correctness": judge_correctness,
}
_LONG = 20_000  # characters: more than that takes longer than an event loop should stand still
_DECIMALS = 3  # nobody tells .9651 from .9654, and what is not on the matter makes such differences
_KEPT = 64  # interactions: the judges of one come close together
_KEPT_CHARACTERS = 1_500_000  # an analysis takes some sixty times the room of its text


class OfflineModel:
    """Deterministic: the same interaction gets the same judgement, on every machine and in every process."""

    def __init__(self) -> None:
        self._pool = DaemonThreadPool(1, "offline-model")  # one thread: the work is all Python
        self._analyses: OrderedDict[Interaction, Analysis] = OrderedDict()
        self._kept_characters = 0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return "offline"

    async def ask(self, request: JudgeRequest) -> Judgement | CannotJudge:
        judge = _JUDGES.get(request.judge.name)
        if judge is None:
            return CannotJudge(f"the offline model knows only {', '.join(_JUDGES)}; this judge needs an LLM")
        analysis = self._analysis(request.interaction)
        if _size(request.interaction) <= _LONG:
            return _lowest(judge, analysis)
        return await self._pool.run(lambda: _lowest(judge, analysis))

    def close(self) -> None:
        self._pool.close()

    def _analysis(self, interaction: Interaction) -> Analysis:
        """The one analysis that all judges of an interaction share."""
        with self._lock:
            analysis = self._analyses.get(interaction)
            if analysis is None:
                analysis = self._analyses[interaction] = Analysis(interaction)
                self._kept_characters += _size(interaction)
                while len(self._analyses) > 1 and self._is_full:
                    forgotten, _ = self._analyses.popitem(last=False)
                    self._kept_characters -= _size(forgotten)
            else:
                self._analyses.move_to_end(interaction)
            return analysis

    @property
    def _is_full(self) -> bool:
        return len(self._analyses) > _KEPT or self._kept_characters > _KEPT_CHARACTERS


def _size(interaction: Interaction) -> int:
    return len(interaction.user_query) + len(interaction.answer) + len(interaction.context) + len(interaction.reference)


def _lowest(judge: _Judge, analysis: Analysis) -> Judgement | CannotJudge:
    """Judge the answer's core, or the worst of what may be it: what does not belong to the matter earns nothing."""
    opinions = [_bounded(judge(one)) for one in _judged(judge, analysis)]
    scored = [opinion for opinion in opinions if isinstance(opinion, Judgement)]
    return min(scored, key=lambda opinion: opinion.score) if scored else opinions[0]


def _judged(judge: _Judge, analysis: Analysis) -> list[Analysis]:
    if judge is judge_correctness:
        return [analysis]
    whole = [analysis] if judge is judge_faithfulness or not analysis.cores else []
    return [*whole, *analysis.cores]


def _bounded(opinion: Judgement | CannotJudge) -> Judgement | CannotJudge:
    if isinstance(opinion, CannotJudge):
        return opinion
    return Judgement(round(min(1.0, max(0.0, opinion.score)), _DECIMALS), opinion.reason)
