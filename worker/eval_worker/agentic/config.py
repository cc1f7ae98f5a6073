"""`config` of a request: what it may choose, with the defaults that are documented for requests."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from eval_worker.agentic.criteria import ANSWER_THRESHOLD, Criteria
from eval_worker.agentic.statistics.statistical_mode import BayesianMode, FrequentistMode, StatisticalMode

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Level = Annotated[float, Field(gt=0, lt=1)]
Prior = Annotated[float, Field(ge=1e-9, le=1e9)]

MOST_ATTEMPTS = 1_000_000


class _Config(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class ToolWeights(_Config):
    """How much each side of tool correctness counts; they need not add up to 1."""

    model_config = ConfigDict(extra="forbid")

    selection: Weight = 0.25
    parameters: Weight = 0.25
    sequence: Weight = 0.25
    utilization: Weight = 0.25

    @model_validator(mode="after")
    def _counts_something(self) -> Self:
        if not any((self.selection, self.parameters, self.sequence, self.utilization)):
            raise ValueError("must not all be 0")
        return self


class FrequentistConfig(_Config):
    name: Literal["frequentist"] = "frequentist"
    interval: Literal["wilson", "clopper-pearson"] | None = None
    level: Level = 0.95

    def as_mode(self) -> StatisticalMode:
        return FrequentistMode(self.interval, self.level)


class BayesianConfig(_Config):
    name: Literal["bayesian"]
    prior_alpha: Prior = 1.0
    prior_beta: Prior = 1.0
    level: Level = 0.95

    def as_mode(self) -> StatisticalMode:
        return BayesianMode(self.prior_alpha, self.prior_beta, self.level)


def _in_full(value: object) -> object:
    """A name alone is short for the object with that name: a union of the two would refuse in words of its own."""
    return {"name": value} if isinstance(value, str) else value


_Mode = Annotated[FrequentistConfig | BayesianConfig, Field(discriminator="name")]
ModeConfig = Annotated[
    _Mode, BeforeValidator(_in_full, json_schema_input_type=Literal["frequentist", "bayesian"] | _Mode)
]


class AgenticConfig(_Config):
    """`{threshold, tool_threshold, tool_weights, k, use_structured_output, verbose}`, and what is ours.

    `statistical_mode` is `frequentist`, `bayesian` or an object `{"name": ..., "level": ...}`.
    """

    threshold: Share = ANSWER_THRESHOLD
    tool_threshold: Share = 0.75
    tool_weights: ToolWeights | None = None
    k: Annotated[int, Field(ge=1, le=MOST_ATTEMPTS)] = 3
    use_structured_output: bool = False
    verbose: bool = False
    require_tools: bool = False
    statistical_mode: ModeConfig = FrequentistConfig()

    @classmethod
    def of_request(cls, given: object) -> Self:
        """Read it where a key that is not known is refused: a misspelt one would be ignored without a word.

        In events it is ignored, as all that is unknown there.

        Raises:
            ValidationError: a key is not known, or its value is wrong.
        """
        return cls.model_validate(given, extra="forbid")

    def as_criteria(self) -> Criteria:
        return Criteria(
            k=self.k,
            threshold=self.threshold,
            tool_threshold=self.tool_threshold,
            tool_weights=self.tool_weights and self.tool_weights.model_dump(),
            require_tools=self.require_tools,
            mode=self.statistical_mode.as_mode(),
        )
