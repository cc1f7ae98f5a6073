"""What is asked of a model: one judge's question, or those of several at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Self

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.combined_prompt import render_combined_prompt
from eval_worker.evaluation.judges.definition import MOST_TOKENS, JudgeDefinition, ModelOptions
from eval_worker.evaluation.judges.model import BadReply, ModelAnswer, ModelReply, Opinion
from eval_worker.evaluation.judges.parse import as_one, parse_judgements, read_answer
from eval_worker.evaluation.judges.prompt import Prompt, render_prompt
from eval_worker.evaluation.judges.reply_form import ONE_JUDGEMENT, ReplyForm, judgements_of
from eval_worker.value_object import value_object

COMBINED = "combined"


@value_object
class JudgeRequest:
    """One judge's question: what does it say of this interaction?"""

    judge: JudgeDefinition
    interaction: Interaction
    repair: BadReply | None = None

    @property
    def asked_by(self) -> str:
        return self.judge.name

    @property
    def judges(self) -> tuple[JudgeDefinition, ...]:
        return (self.judge,)

    @property
    def judge_names(self) -> tuple[str, ...]:
        return (self.judge.name,)

    @property
    def options(self) -> ModelOptions:
        return self.judge.model

    @property
    def form(self) -> ReplyForm:
        return ONE_JUDGEMENT

    def prompt(self, nonce: str) -> Prompt:
        return render_prompt(self.judge, self.interaction, nonce)

    def read(self, answer: ModelAnswer) -> Mapping[str, Opinion | BadReply]:
        return {self.judge.name: read_answer(answer)}

    def again(self, unusable: Mapping[str, BadReply]) -> Self:
        return replace(self, repair=unusable[self.judge.name])


@value_object
class CombinedRequest:
    """The questions of several judges of the same model options: what does each of them say of this interaction?"""

    judges: tuple[JudgeDefinition, ...]
    interaction: Interaction
    repair: BadReply | None = None

    @property
    def asked_by(self) -> str:
        return COMBINED

    @property
    def judge_names(self) -> tuple[str, ...]:
        return tuple(judge.name for judge in self.judges)

    @property
    def options(self) -> ModelOptions:
        return _shared_options([judge.model for judge in self.judges])

    @property
    def form(self) -> ReplyForm:
        return judgements_of(self.judge_names)

    def prompt(self, nonce: str) -> Prompt:
        return render_combined_prompt(self.judges, self.interaction, nonce)

    def read(self, answer: ModelAnswer) -> Mapping[str, Opinion | BadReply]:
        if isinstance(answer, ModelReply) and answer.problem is None:
            return parse_judgements(answer.content, self.judge_names)
        return dict.fromkeys(self.judge_names, read_answer(answer))

    def again(self, unusable: Mapping[str, BadReply]) -> Self:
        rest = tuple(judge for judge in self.judges if judge.name in unusable)
        return replace(self, judges=rest, repair=as_one(unusable.values()))


def requests_to(judges: Sequence[JudgeDefinition], interaction: Interaction) -> list[JudgeRequest | CombinedRequest]:
    """Return the fewest requests that ask all these judges: one for those of the same model and temperature.

    A judge that shares its options with no other is asked its own question.
    """
    groups: dict[tuple[str | None, float | None], list[JudgeDefinition]] = {}
    for judge in judges:
        groups.setdefault((judge.model.model_id, judge.model.temperature), []).append(judge)
    return [
        CombinedRequest(tuple(group), interaction) if len(group) > 1 else JudgeRequest(group[0], interaction)
        for group in groups.values()
    ]


def _shared_options(options: Sequence[ModelOptions]) -> ModelOptions:
    """Return the options that all share, with room for all of their replies.

    What none of them sets counts as not set: a chat model then goes by its own default.
    """
    room = min(sum(each.max_tokens for each in options), MOST_TOKENS)
    given = set[str]().union(*(each.model_fields_set for each in options))
    return ModelOptions.model_construct(given, **{**dict(options[0]), "max_tokens": room})
