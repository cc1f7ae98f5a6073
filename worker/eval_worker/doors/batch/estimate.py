"""What judging would cost, estimated from the very prompts that would be sent."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition, JudgeSet
from eval_worker.evaluation.judges.judge import what_is_missing
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.judges.request import CombinedRequest, JudgeRequest, requests_to
from eval_worker.evaluation.judges.waves import ALL_AT_ONCE, Waves, in_waves
from eval_worker.models.token_estimate import TOOL_TOKENS, estimate_tokens

OUTPUT_TOKENS = 100  # one to three sentences and a level
_NONCE = "0" * 32


@dataclass(slots=True)
class Estimate:
    """Adds up calls and tokens, as if all waves were asked.

    Retries and repairs come on top; a provider's own count is what is billed.
    `price` says what one call costs; it is told the judge's own model, None where it has none.
    """

    judges: JudgeSet
    output_mode: str
    combined: bool = False
    waves: Waves = ALL_AT_ONCE
    price: Callable[[str | None, Usage], Mapping[str, float | None]] = lambda _model_id, _usage: {}
    usage: Usage = field(default_factory=Usage)
    _fixed: dict[tuple[str, ...], float] = field(default_factory=dict[tuple[str, ...], float])

    def add(self, interaction: Interaction) -> None:
        asked = [judge for judge in self.judges.judges if what_is_missing(judge, interaction) is None]
        for request in self._requests(asked, interaction):
            prompt = request.prompt(_NONCE)
            read = round(self._fixed_tokens(request, prompt.system) + estimate_tokens(prompt.user))
            call = Usage(1, read, len(request.judge_names) * OUTPUT_TOKENS)
            self.usage += replace(call, costs=self.price(request.options.model_id, call))

    def _requests(
        self, asked: Sequence[JudgeDefinition], interaction: Interaction
    ) -> list[JudgeRequest | CombinedRequest]:
        if not self.combined:
            return [JudgeRequest(judge, interaction) for judge in asked]
        return [request for wave in in_waves(asked, self.waves) for request in requests_to(wave, interaction)]

    def _fixed_tokens(self, request: JudgeRequest | CombinedRequest, system: str) -> float:
        """The part of a request that is the same for every event."""
        judges = request.judge_names
        if judges not in self._fixed:
            tool = TOOL_TOKENS if self.output_mode == "tool" else 0
            self._fixed[judges] = estimate_tokens(system) + estimate_tokens(json.dumps(request.form.schema)) + tool
        return self._fixed[judges]
