"""What every event goes through, whatever its kind: what is free comes first, then the judges if they are needed."""

from collections.abc import Awaitable, Callable
from functools import partial

from eval_worker.agentic.pipeline import ConversationPipeline, evaluation_of
from eval_worker.conversation_event import ConversationEvent
from eval_worker.evaluation.aggregate import Evaluation, ScoringPolicy, skipped
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.pipeline import Pipeline
from eval_worker.evaluation.sampling import ALL_EVENTS, SampleRates
from eval_worker.evaluation.stage import Stage
from eval_worker.event import Agent, Event
from eval_worker.value_object import value_object

AnyEvent = Event | ConversationEvent

_NOBODY = Agent()


@value_object
class Assessment:
    """An event whose free stages are done. `done` is its evaluation where that was all: an early exit, or left out.

    `judge` asks the model, once; it is told whether this is the last try, after which a failure counts as the event's.
    """

    stages: tuple[Stage, ...]
    done: Evaluation | None
    judge: Callable[[bool], Awaitable[Evaluation]]


class Assessor:
    """Knows the pipeline of each kind of event, and which events are judged where not all are."""

    def __init__(
        self,
        pipeline: Pipeline,
        conversations: ConversationPipeline,
        policy: ScoringPolicy,
        rates: SampleRates = ALL_EVENTS,
    ) -> None:
        self.pipeline = pipeline
        self._conversations = conversations
        self._policy = policy
        self._rates = rates

    def begin(self, event: AnyEvent) -> Assessment:
        """Do all that asks no model."""
        if not isinstance(event, Event):  # this way round it is told by the type alone, and most are
            return Assessment((), self._left_out(event, ()), partial(self._judge_conversations, event))
        interaction = event.as_interaction()
        prechecks = self.pipeline.precheck(interaction)
        done = self.pipeline.exit_early(prechecks) or self._left_out(event, prechecks)
        return Assessment(prechecks, done, partial(self._judge_answer, interaction, prechecks))

    def _left_out(self, event: AnyEvent, prechecks: tuple[Stage, ...]) -> Evaluation | None:
        agent = event.agent or _NOBODY
        return None if self._rates.includes(event.event_id, agent.name, agent.type) else skipped(prechecks)

    def _judge_answer(
        self,
        interaction: Interaction,
        prechecks: tuple[Stage, ...],
        last_try: bool,  # noqa: FBT001 (called by position)
    ) -> Awaitable[Evaluation]:
        del last_try  # an answer's judges ask no more often for it
        return self.pipeline.judge(interaction, prechecks)

    async def _judge_conversations(self, event: ConversationEvent, last_try: bool) -> Evaluation:  # noqa: FBT001 (called by position)
        criteria = event.config.as_criteria()
        report = await self._conversations.report(event.datasets, criteria, last_try=last_try)
        return evaluation_of(report, self._policy)
