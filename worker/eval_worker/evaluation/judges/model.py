"""The contract between a judge and the model that answers it. Implementations live in `eval_worker.models`."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from math import fsum
from typing import TYPE_CHECKING, Protocol

from eval_worker.evaluation.judges.definition import ModelOptions
from eval_worker.evaluation.judges.prompt import Prompt
from eval_worker.evaluation.judges.reply_form import ReplyForm
from eval_worker.value_object import value_object

if TYPE_CHECKING:
    from eval_worker.evaluation.judges.request import JudgeRequest

_DECIMALS = 9  # of a dollar


@value_object
class Usage:
    """What a provider counted. `llm_calls` are calls that were answered, so calls that are billed.

    `input_tokens` are all; those that the provider read from its prompt cache, or wrote to it, are among them.
    `costs` are US dollars by the model that was called; None of a model whose price is not known.
    """

    llm_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_write_input_tokens: int = 0
    costs: Mapping[str, float | None] = field(default_factory=dict[str, float | None])

    def __add__(self, other: "Usage") -> "Usage":
        if self is NOTHING_USED or other is NOTHING_USED:  # as where no provider is asked
            return other if self is NOTHING_USED else self
        return Usage(
            self.llm_calls + other.llm_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_input_tokens + other.cache_read_input_tokens,
            self.cache_write_input_tokens + other.cache_write_input_tokens,
            _sum_by_model(self.costs, other.costs),
        )

    @property
    def cost_usd(self) -> float | None:
        """What all calls cost; None where that is not known of one of them."""
        if self.llm_calls and not self.costs:
            return None
        known = [cost for cost in self.costs.values() if cost is not None]
        return round(fsum(known), _DECIMALS) if len(known) == len(self.costs) else None


NOTHING_USED = Usage()


def _sum_by_model(one: Mapping[str, float | None], other: Mapping[str, float | None]) -> Mapping[str, float | None]:
    if not (one and other):
        return one or other
    costs = dict(one)
    for model, cost in other.items():
        before = costs.get(model, 0.0)
        costs[model] = None if before is None or cost is None else before + cost
    return costs


class FailureKind(StrEnum):
    """Whose failure it is, which decides what becomes of the event."""

    TRANSIENT = "transient"  # throttled, 5xx, timed out, dropped: the same call may work later
    PERMANENT = "permanent"  # this event's own: refused, too long, no usable reply
    OUTAGE = "outage"  # would hit every event: credentials, access, a missing model, billing


@value_object
class ModelFailure:
    """A model that gave no usable answer. `code` is short and stable, made for metrics: `throttled`, `timeout`.

    `retry_after` is what the provider asked for, in seconds.
    """

    kind: FailureKind
    code: str
    message: str
    retry_after: float | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def is_the_providers(self) -> bool:
        """Whether no event can have caused it: neither a throttle nor a refused connection depends on the text."""
        return self.code in {"throttled", "connection"}


@value_object
class BadReply:
    """A reply that could not be used, kept so that the model can be shown it and asked once more."""

    text: str
    problem: str


@value_object
class ModelReply:
    """What an LLM said, not validated yet: a structured reply (a mapping) or text that should hold JSON.

    `problem` says why the provider holds it to be unusable (cut off, malformed); there is no use in parsing it then.
    `finish_reason` and `model` are for whoever watches: why it ended, and who answered, in the provider's words.
    """

    content: Mapping[str, object] | str
    usage: Usage
    problem: str | None = None
    finish_reason: str | None = field(default=None, compare=False)
    model: str | None = field(default=None, compare=False)


@value_object
class Judgement:
    """A judge's opinion: a score of 0..1 and the reason for it."""

    score: float
    reason: str


@value_object
class CannotJudge:
    """The model has no way to apply this judge to this interaction: the stage is left out, not failed."""

    reason: str


WITH_USAGE = (ModelReply, ModelFailure)
"""The answers of providers, for `isinstance`: a union takes it twice as long."""

Opinion = Judgement | CannotJudge | ModelFailure
ModelAnswer = ModelReply | Opinion


class ModelRequest(Protocol):
    """All that a language model has to know of a question: it reads a prompt, and need not know what a judge is."""

    @property
    def asked_by(self) -> str:
        """What metrics and messages call whoever asks."""
        ...

    @property
    def options(self) -> ModelOptions: ...

    @property
    def form(self) -> ReplyForm: ...

    @property
    def repair(self) -> BadReply | None:
        """The reply to the same question that could not be used, at the second and last attempt at one."""
        ...

    def prompt(self, nonce: str) -> Prompt:
        """Return the words. `nonce` must be fresh and unguessable."""
        ...


class JudgeModel(Protocol):
    """Answers one judge's question, in one attempt: retries, deadlines and repair belong to the judge.

    Returns a `ModelReply` to be validated, or a `Judgement` where no LLM is involved. Never raises for what a
    provider does, that is a `ModelFailure`; an exception is a bug.
    """

    @property
    def name(self) -> str:
        """What results say judged them: a model id, or `offline`."""
        ...

    async def ask(self, request: "JudgeRequest") -> ModelAnswer: ...

    def close(self) -> None:
        """Lets go of connections and threads without waiting for calls under way."""
        ...


class LanguageModel(ABC):
    """A judge model that goes by the prompt alone, and so can be asked whatever has one."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What results say judged them: a model id."""

    @abstractmethod
    async def ask(self, request: ModelRequest) -> ModelAnswer:
        """Ask once, as a `JudgeModel` does."""

    @abstractmethod
    def close(self) -> None:
        """Let go of connections and threads without waiting for calls under way."""
