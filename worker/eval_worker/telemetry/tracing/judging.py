"""Spans of each judge and of each call to its model, beneath whatever span is current."""

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer, use_span

from eval_worker.evaluation.judges.judge import JudgedStage, StageJudge
from eval_worker.evaluation.judges.model import JudgeModel, LanguageModel, ModelAnswer, ModelFailure, ModelRequest
from eval_worker.telemetry.tracing import attributes

if TYPE_CHECKING:
    from eval_worker.evaluation.interaction import Interaction
    from eval_worker.evaluation.judges.definition import JudgeDefinition
    from eval_worker.evaluation.judges.panel import CombinedAsker
    from eval_worker.evaluation.stage import Stage


@dataclass(slots=True)
class _Asking:
    """How often the model has been called for the current judge."""

    calls: int = 0


_asking: ContextVar[_Asking | None] = ContextVar("asking", default=None)
_hedged: ContextVar[bool] = ContextVar("hedged", default=False)


def note_hedge() -> None:
    """The call that this task makes next is a second one, since the first is late."""
    _hedged.set(True)


class StageEvents:
    """Puts a stage's score on a span. `label_of` says in a word what it means, `reasons` whether to tell the reason."""

    def __init__(self, label_of: "Callable[[Stage], str]", *, reasons: bool) -> None:
        self._label_of = label_of
        self._reasons = reasons

    def add(self, span: Span, stage: "Stage", name: str, at_ns: int | None = None) -> None:
        result = attributes.of_a_stage(stage, name, self._label_of(stage), reasons=self._reasons)
        span.add_event(attributes.EVALUATION_RESULT, result, at_ns)


class TracedJudge:
    """A span for the judge, from the question to its stage: the cache, turns, retries and repair are in it."""

    def __init__(self, judge: StageJudge, tracer: Tracer, stages: StageEvents) -> None:
        self._judge = judge
        self._tracer = tracer
        self._stages = stages

    @property
    def definition(self) -> "JudgeDefinition":
        return self._judge.definition

    async def judge(self, interaction: "Interaction") -> JudgedStage:
        name = self.definition.name
        asking = _asking.set(_Asking())
        try:
            with self._tracer.start_as_current_span(
                f"judge {name}", record_exception=False, set_status_on_exception=False
            ) as span:
                judged = await self._judge.judge(interaction)
                _note_judged(span, judged.stage)
                self._stages.add(span, judged.stage, name)
                return judged
        finally:
            _asking.reset(asking)


class TracedCombinedAsker:
    """A span for all judges that are asked together, with a result for each."""

    def __init__(self, asker: "CombinedAsker", tracer: Tracer, stages: StageEvents) -> None:
        self._asker = asker
        self._tracer = tracer
        self._stages = stages

    async def judge(self, interaction: "Interaction", judges: "Sequence[JudgeDefinition]") -> Sequence[JudgedStage]:
        asking = _asking.set(_Asking())
        try:
            with self._tracer.start_as_current_span(
                "judge combined", record_exception=False, set_status_on_exception=False
            ) as span:
                judged = await self._asker.judge(interaction, judges)
                span.set_attribute("eval.judges", [judge.name for judge in judges])
                for definition, each in zip(judges, judged, strict=True):
                    self._stages.add(span, each.stage, definition.name)
                if cached := [judge.name for judge, each in zip(judges, judged, strict=True) if each.stage.cached]:
                    span.set_attribute("eval.judges.cached", cached)
                return judged
        finally:
            _asking.reset(asking)


def _note_judged(span: Span, stage: "Stage") -> None:
    span.set_attribute("eval.judge.status", stage.status.value)
    if stage.cached:
        span.set_attribute("eval.judge.cached", value=True)
    if stage.failure is not None:
        span.set_attribute(attributes.ERROR_TYPE, stage.failure.code)
        span.set_status(StatusCode.ERROR)


class TracedModel(LanguageModel):
    """A span for each call that is made."""

    def __init__(self, model: LanguageModel, tracer: Tracer, provider: str) -> None:
        self._model = model
        self._tracer = tracer
        self._provider = provider

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        model = request.options.model_id or _model_id(self.name)
        asked = attributes.of_a_request(request, model, self._provider)
        if (asking := _asking.get()) is not None:
            asking.calls += 1
            asked["eval.call.number"] = asking.calls
        if _hedged.get():
            asked["eval.call.hedge"] = True
        span = self._tracer.start_span(f"chat {model}", kind=SpanKind.CLIENT, attributes=asked)
        with use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
            try:
                answer = await self._model.ask(request)
            except BaseException as error:  # cut off by the deadline, most of the time
                span.set_attribute(attributes.ERROR_TYPE, type(error).__name__)
                span.set_status(StatusCode.ERROR)
                raise
            span.set_attributes(attributes.of_an_answer(answer))
            if isinstance(answer, ModelFailure):
                span.set_status(StatusCode.ERROR)
            return answer

    def close(self) -> None:
        self._model.close()


def traced_model(model: JudgeModel, tracer: Tracer, provider: str) -> JudgeModel:
    """Trace the calls of a language model; others, such as the offline one, make none."""
    return TracedModel(model, tracer, provider) if isinstance(model, LanguageModel) else model


def _model_id(name: str) -> str:
    """Return what the provider calls it: of `langchain:ChatOpenAI/gpt-4o-mini` the last part."""
    return name.partition("/")[2] or name if name.startswith("langchain:") else name
