"""What judging would cost, estimated from the very prompts that would be sent."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition, JudgeSet
from eval_worker.evaluation.judges.judge import what_is_missing
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.judges.request import CombinedRequest, JudgeRequest, requests_to

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
    combined: bool = False
    calls: int = 0
    judgements: int = 0
    input_tokens: float = 0.0
    _fixed: dict[tuple[str, ...], float] = field(default_factory=dict[tuple[str, ...], float])

    def add(self, interaction: Interaction) -> None:
        asked = [judge for judge in self.judges.judges if what_is_missing(judge, interaction) is None]
        for request in requests_to(asked, interaction) if self.combined else _one_by_one(asked, interaction):
            prompt = request.prompt(_NONCE)
            self.calls += 1
            self.judgements += len(request.judge_names)
            self.input_tokens += self._fixed_tokens(request, prompt.system) + estimate_tokens(prompt.user)

    @property
    def usage(self) -> Usage:
        return Usage(self.calls, round(self.input_tokens), self.judgements * OUTPUT_TOKENS)

    def _fixed_tokens(self, request: JudgeRequest | CombinedRequest, system: str) -> float:
        """The part of a request that is the same for every event."""
        judges = request.judge_names
        if judges not in self._fixed:
            tool = TOOL_TOKENS if self.output_mode == "tool" else 0
            self._fixed[judges] = estimate_tokens(system) + estimate_tokens(json.dumps(request.form.schema)) + tool
        return self._fixed[judges]


def _one_by_one(judges: Sequence[JudgeDefinition], interaction: Interaction) -> list[JudgeRequest]:
    return [JudgeRequest(judge, interaction) for judge in judges]
