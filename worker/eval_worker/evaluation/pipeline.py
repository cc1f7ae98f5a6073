"""The pipeline: prechecks -> early exit -> judges -> aggregate."""

from collections.abc import Callable, Sequence
from functools import partial

from eval_worker.evaluation.aggregate import Evaluation, ScoringPolicy, Verdict, aggregate, decided, early_exit
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.panel import Panel
from eval_worker.evaluation.prechecks import run_prechecks
from eval_worker.evaluation.stage import Stage

DEFAULT_JUDGE_THRESHOLD = 0.7


class Pipeline:
    """Evaluates interactions. `clock_ns` times the stages."""

    def __init__(self, panel: Panel, policy: ScoringPolicy, clock_ns: Callable[[], int]) -> None:
        self._panel = panel
        self._policy = policy
        self._clock_ns = clock_ns

    @property
    def panel(self) -> Panel:
        return self._panel

    async def evaluate(self, interaction: Interaction) -> Evaluation:
        prechecks = self.precheck(interaction)
        return early_exit(prechecks, self._policy) or await self.judge(interaction, prechecks)

    def precheck(self, interaction: Interaction) -> tuple[Stage, ...]:
        return run_prechecks(interaction, self._clock_ns)

    def exit_early(self, prechecks: tuple[Stage, ...]) -> Evaluation | None:
        return early_exit(prechecks, self._policy)

    async def judge(self, interaction: Interaction, prechecks: tuple[Stage, ...]) -> Evaluation:
        report = await self._panel.judge(interaction, partial(self._why_stop, prechecks))
        return aggregate(prechecks, report.stages, report.usage, self._policy, combined=report.combined)

    def _why_stop(self, prechecks: tuple[Stage, ...], asked: Sequence[Stage], left: int) -> str | None:
        verdict = decided(prechecks, asked, left, self._policy)
        return None if verdict is None else f"not asked: whatever it would say, the verdict is {verdict.value}"

    async def evaluate_with(
        self, judge_name: str, interaction: Interaction, threshold: float = DEFAULT_JUDGE_THRESHOLD
    ) -> Evaluation | Stage:
        """Ask one judge alone: its score is the confidence, above `threshold` is a `pass`, else a `fail`.

        Returns the bare stage where it is unscored, since there is no verdict then: not applicable is the caller's
        error, failed is the provider's.

        Raises:
            LookupError: no such judge is enabled.
        """
        judge = self._panel.find(judge_name)
        if judge is None:
            raise LookupError(f"no judge named {judge_name!r}; enabled are: {', '.join(self._panel.names)}")
        judged = await judge.judge(interaction)
        score = judged.stage.score
        if score is None:
            return judged.stage
        verdict = Verdict.PASS if score > threshold else Verdict.FAIL
        return Evaluation((judged.stage,), score, verdict, usage=judged.usage)
