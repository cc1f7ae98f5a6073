"""What judging would cost, estimated from the very prompts that would be sent."""

import json
from dataclasses import dataclass, field

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition, JudgeSet
from eval_worker.evaluation.judges.judge import what_is_missing
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.judges.reply_form import REPLY_SCHEMA
from eval_worker.evaluation.judges.request import JudgeRequest

OUTPUT_TOKENS = 100  # one to three sentences and a level
TOOL_TOKENS = 340  # what Claude's own instructions for a forced tool add
_NONCE = "0" * 32
_CHARACTERS_PER_TOKEN = 4
_BYTES_PER_TOKEN = 3


def estimate_tokens(text: str) -> float:
    """About one token for four ASCII characters; for three bytes in UTF-8 of anything else, so one a Chinese one."""
    ascii_characters = len(text.encode("ascii", "ignore"))
    return ascii_characters / _CHARACTERS_PER_TOKEN + (len(text.encode()) - ascii_characters) / _BYTES_PER_TOKEN


@dataclass(slots=True)
class Estimate:
    """Adds up calls and tokens. Retries and repairs come on top; a provider's own count is what is billed."""

    judges: JudgeSet
    output_mode: str
    calls: int = 0
    input_tokens: float = 0.0
    _fixed: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, interaction: Interaction) -> None:
        for judge in self.judges.judges:
            if what_is_missing(judge, interaction):
                continue
            prompt = JudgeRequest(judge, interaction).prompt(_NONCE)
            self.calls += 1
            self.input_tokens += self._fixed_tokens(judge, prompt.system) + estimate_tokens(prompt.user)

    @property
    def usage(self) -> Usage:
        return Usage(self.calls, round(self.input_tokens), self.calls * OUTPUT_TOKENS)

    def _fixed_tokens(self, judge: JudgeDefinition, system: str) -> float:
        """The part of a judge's request that is the same for every event."""
        if judge.name not in self._fixed:
            tool = TOOL_TOKENS if self.output_mode == "tool" else 0
            self._fixed[judge.name] = estimate_tokens(system) + estimate_tokens(json.dumps(REPLY_SCHEMA)) + tool
        return self._fixed[judge.name]
