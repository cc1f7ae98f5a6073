"""By what a conversation is held to be correct, and how its figures are estimated."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from eval_worker.agentic.statistics.statistical_mode import FrequentistMode, StatisticalMode
from eval_worker.agentic.tools.weights import complete_weights

ANSWER_THRESHOLD = 0.7


@dataclass(frozen=True, slots=True)
class Criteria:
    """An interaction is correct if its answer's score reaches `threshold`; with `require_tools` its tools count, too.

    `k` is how many attempts pass@k and pass^k speak of. `tool_weights` are those of tool_correctness; none given means
    equal ones.

    Raises:
        ValueError: naming the value that can't be one.
    """

    k: int
    threshold: float = ANSWER_THRESHOLD
    tool_threshold: float = 1.0
    tool_weights: Mapping[str, float] | None = None
    require_tools: bool = False
    mode: StatisticalMode = field(default_factory=FrequentistMode)

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:  # pyright: ignore[reportUnnecessaryIsInstance] (callers need not be typed)
            raise ValueError(f"k must be a whole number of at least 1, not {self.k!r}")
        for name, value in (("threshold", self.threshold), ("tool_threshold", self.tool_threshold)):
            if not isinstance(value, int | float) or not 0 <= value <= 1:  # pyright: ignore[reportUnnecessaryIsInstance] (as above)
                raise ValueError(f"{name} must be from 0 to 1, not {value!r}")
        # Both are used when the judges have been paid: what is wrong with them has to be found before.
        complete_weights(self.tool_weights)
        if isinstance(self.mode, type) or not callable(getattr(self.mode, "estimate", None)):
            raise ValueError(f"statistical_mode must be FrequentistMode() or BayesianMode(), not {self.mode!r}")  # noqa: TRY004 (as the others)
