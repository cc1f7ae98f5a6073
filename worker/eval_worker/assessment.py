"""What every event goes through, whatever its kind: what is free comes first, then the judges if they are needed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from eval_worker.agentic.pipeline import ConversationPipeline, evaluation_of
from eval_worker.conversation_event import ConversationEvent
from eval_worker.evaluation.aggregate import Evaluation, ScoringPolicy
from eval_worker.evaluation.pipeline import Pipeline
from eval_worker.evaluation.stage import Stage
from eval_worker.event import Event

AnyEvent = Event | ConversationEvent


@dataclass(frozen=True, slots=True)
class Assessment:
    """An event whose free stages are done. `early_exit` is its evaluation where that was all it took.

    `judge` asks the model, once; it is told whether this is the last try, after which a failure counts as the event's.
    """

    stages: tuple[Stage, ...]
    early_exit: Evaluation | None
    judge: Callable[[bool], Awaitable[Evaluation]]


class Assessor:
    """Knows the pipeline of each kind of event."""

    def __init__(self, pipeline: Pipeline, conversations: ConversationPipeline, policy: ScoringPolicy) -> None:
        self.pipeline = pipeline
        self._conversations = conversations
        self._policy = policy

    def begin(self, event: AnyEvent) -> Assessment:
        """Do all that asks no model."""
        if isinstance(event, ConversationEvent):
            return Assessment((), None, partial(self._judge_conversations, event))
        interaction = event.as_interaction()
        prechecks = self.pipeline.precheck(interaction)
        judge = partial(self.pipeline.judge, interaction, prechecks)
        return Assessment(prechecks, self.pipeline.exit_early(prechecks), lambda _last_try: judge())

    async def _judge_conversations(self, event: ConversationEvent, last_try: bool) -> Evaluation:  # noqa: FBT001 (called by position)
        criteria = event.config.as_criteria()
        report = await self._conversations.report(event.datasets, criteria, last_try=last_try)
        return evaluation_of(report, self._policy)
