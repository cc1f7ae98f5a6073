"""All that a process traces, and the way of its spans to the collector."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from eval_worker.redaction import Redact, without_secrets
from eval_worker.telemetry.tracing.entries import EntryTraces
from eval_worker.telemetry.tracing.export import SpanExport
from eval_worker.telemetry.tracing.judging import (
    StageEvents,
    TracedCombinedAsker,
    TracedJudge,
    note_hedge,
    traced_model,
)
from eval_worker.telemetry.tracing.sending import SendTraces

if TYPE_CHECKING:
    from eval_worker.evaluation.judges.judge import StageJudge
    from eval_worker.evaluation.judges.model import JudgeModel
    from eval_worker.evaluation.judges.panel import CombinedAsker
    from eval_worker.evaluation.stage import Stage
    from eval_worker.stream.names import StreamNames


class Tracing:
    """Made once a process. `label_of` says in a word what a score means, `reasons` whether reasons are told."""

    def __init__(
        self,
        service: str,
        provider: str,
        label_of: "Callable[[Stage], str]",
        *,
        reasons: bool,
        queue_size: int,
        redact: Redact = without_secrets,
    ) -> None:
        self._export = SpanExport(service, queue_size=queue_size, redact=redact)
        self._provider = provider
        self._stages = StageEvents(label_of, reasons=reasons)
        self._entries: list[EntryTraces] = []

    def observe_losses(self, observer: Callable[[int], None]) -> None:
        """Have it told how many spans were lost, whenever some are; from any thread."""
        self._export.losses.observer = observer

    def entries(self, names: "StreamNames") -> EntryTraces:
        traces = EntryTraces(self._export.tracer, self._export.ids, names, self._stages)
        self._entries.append(traces)
        return traces

    def model(self, model: "JudgeModel") -> "JudgeModel":
        return traced_model(model, self._export.tracer, self._provider)

    def judge(self, judge: "StageJudge") -> "StageJudge":
        return TracedJudge(judge, self._export.tracer, self._stages)

    def combined(self, asker: "CombinedAsker") -> "CombinedAsker":
        return TracedCombinedAsker(asker, self._export.tracer, self._stages)

    def hedging(self, on_hedge: Callable[[str], None]) -> Callable[[str], None]:
        def observe(asked_by: str) -> None:
            note_hedge()
            on_hedge(asked_by)

        return observe

    def sending(self, stream: str) -> SendTraces:
        return SendTraces(self._export.tracer, stream)

    def close(self, seconds: float) -> None:
        """End what is open and send what is left, for so many seconds at most."""
        for traces in self._entries:
            traces.close()
        self._export.close(seconds)
