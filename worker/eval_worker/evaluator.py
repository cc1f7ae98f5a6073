"""Judges one event for a caller who waits: the core behind every door but the stream's."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

from eval_worker.assessment import AnyEvent, Assessor
from eval_worker.evaluation.aggregate import mean_score
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, Usage
from eval_worker.evaluation.pipeline import DEFAULT_JUDGE_THRESHOLD
from eval_worker.evaluation.stage import Stage
from eval_worker.event import Agent, Event
from eval_worker.models.circuit import Circuit
from eval_worker.result import Result
from eval_worker.result_writer import ResultWriter

RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class NoVerdict:
    """The model gave none, and none is made up. `failure.kind` says whose fault that is.

    TRANSIENT and OUTAGE: the same event may be judged later, from `retry_after` seconds on. PERMANENT: every judge
    failed on this event, and would again. `its_own` says of a transient failure that it keeps to this event, while
    others are judged.
    """

    failure: ModelFailure
    retry_after: float = RETRY_SECONDS
    its_own: bool = False


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """The one judge that was asked for can't be applied to this event, which is the caller's mistake."""

    reason: str


class Evaluator:
    """Evaluates events side by side. While the model can't be used only a probe reaches it; the others are told so."""

    def __init__(
        self,
        assessor: Assessor,
        circuit: Circuit,
        results: ResultWriter,
        on_usage: Callable[[Agent | None, Usage], None] = lambda _agent, _usage: None,
    ) -> None:
        self._assessor = assessor
        self._on_usage = on_usage
        self._pipeline = assessor.pipeline
        self._circuit = circuit
        self._results = results
        self._numbers = count()
        self._asking: set[str] = set()

    @property
    def model(self) -> str:
        return self._results.model

    @property
    def judge_names(self) -> tuple[str, ...]:
        return self._pipeline.panel.names

    def what_is_wrong(self) -> str | None:
        """Say why the model is not asked now, for readiness."""
        return self._circuit.what_is_wrong()

    async def evaluate(self, event: AnyEvent, *, key: str | None = None, last_try: bool = False) -> Result | NoVerdict:
        """Run the whole pipeline. What exits early needs no model, and has its verdict while there is none.

        `key` is the same for every try of one event. On the `last_try` a transient failure of the event's own makes
        its stage unscored, as a permanent one does.
        """
        assessment = self._assessor.begin(event)
        if done := assessment.done:
            return self._results.write(event, done)
        with self._turn(key) as turn:
            if turn is None:
                return self._paused()
            evaluation = await assessment.judge(last_try)
            self._on_usage(event.agent, evaluation.usage)
            judges = evaluation.stages[len(assessment.stages) :]
            problem = self._problem(turn, judges, last_try=last_try, unjudged=evaluation.unjudged)
        return problem or self._results.write(event, evaluation)

    async def evaluate_with(
        self, judge_name: str, event: Event, threshold: float = DEFAULT_JUDGE_THRESHOLD
    ) -> Result | NoVerdict | NotApplicable:
        """Ask one judge alone: its score is the confidence, above `threshold` is a `pass`, else a `fail`.

        Raises:
            LookupError: no such judge is enabled.
        """
        with self._turn() as turn:
            if turn is None:
                return self._paused()
            judged = await self._pipeline.evaluate_with(judge_name, event.as_interaction(), threshold)
            stages = (judged,) if isinstance(judged, Stage) else judged.stages
            self._on_usage(event.agent, Usage() if isinstance(judged, Stage) else judged.usage)
            problem = self._problem(turn, stages)
        if isinstance(judged, Stage):
            return problem or NotApplicable(judged.reason)
        return self._results.write(event, judged)

    @contextmanager
    def _turn(self, key: str | None = None) -> Generator[str | None]:
        """Yield the key under which the model may be asked now, or None."""
        key = key or f"#{next(self._numbers)}"
        if not self._circuit.admit(key):
            yield None
            return
        self._asking.add(key)
        try:
            yield key
        finally:
            self._asking.discard(key)
            self._circuit.abandoned(key)  # nothing to do where it succeeded or failed

    def _paused(self) -> NoVerdict:
        failure = self._circuit.failure
        if failure is None:
            raise AssertionError("a circuit that is closed admits all")
        return NoVerdict(failure, self._retry_after(failure))

    def _retry_after(self, failure: ModelFailure) -> float:
        return max(self._circuit.seconds_to_probe, failure.retry_after or 0, RETRY_SECONDS)

    def _problem(
        self, key: str, judges: Sequence[Stage], *, last_try: bool = False, unjudged: bool = False
    ) -> NoVerdict | None:
        """Tell the circuit how it went; returns what stands in the way of a verdict.

        Of conversations the model may have answered some interactions, and still left all of them `unjudged`.
        """
        failures = {stage.failure.kind: stage.failure for stage in reversed(judges) if stage.failure is not None}
        scored_now = any(stage.scored_now for stage in judges)
        answered = mean_score(judges) is not None
        if outage := failures.get(FailureKind.OUTAGE):
            self._circuit.tripped(key, outage)
            return self._paused()
        if transient := failures.get(FailureKind.TRANSIENT):
            alone = len(self._asking) == 1
            if not self._circuit.failed(key, transient, answered=scored_now, others_in_flight=not alone):
                return NoVerdict(transient, self._retry_after(transient))
            if not (last_try and answered and not unjudged):
                return NoVerdict(transient, self._retry_after(transient), its_own=True)
        elif scored_now or failures:  # a refusal is an answer, too
            self._circuit.succeeded(key)
        return None if (answered and not unjudged) or not failures else NoVerdict(failures[FailureKind.PERMANENT])
