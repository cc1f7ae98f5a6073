"""What a judge asks a model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition, ModelOptions
from eval_worker.evaluation.judges.model import BadReply, ModelAnswer, Opinion
from eval_worker.evaluation.judges.parse import read_answer
from eval_worker.evaluation.judges.prompt import Prompt, render_prompt
from eval_worker.evaluation.judges.reply_form import ONE_JUDGEMENT, ReplyForm


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One judge's question: what does it say of this interaction?"""

    judge: JudgeDefinition
    interaction: Interaction
    repair: BadReply | None = None

    @property
    def asked_by(self) -> str:
        return self.judge.name

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
