"""How scores become a verdict, and what it may cost."""

from functools import partial
from typing import Annotated

from pydantic import AfterValidator, Field

from eval_worker.evaluation.sampling import parse_sample_rates
from eval_worker.settings.quantities import Group, Price, Share, refused_by


class VerdictSettings(Group):
    """The verdict."""

    sample_rates: Annotated[str, AfterValidator(partial(refused_by, parse_sample_rates))] = ""
    """The share of events that the worker judges, [by agent](judges.md#a-share-of-the-events):
    `support-bot=0.1,type:rag=0.25,*=0.5`; without it all."""
    early_exit_threshold: Share = 0.2
    """An answer whose prechecks' mean is below it fails at once, and no judge is asked."""
    precheck_weight: Share = 0.3
    """What the prechecks' mean counts in the confidence; adds up to 1 with the next."""
    llm_judge_weight: Share = 0.7
    """What the judges' mean counts."""
    pass_threshold: Share = 0.8
    """A confidence above it is a `pass`, unless a judge is missing."""
    review_threshold: Share = 0.5
    """A confidence above it is a `review`, anything else a `fail`."""


class CostSettings(Group):
    """Costs."""

    # US dollars for a million tokens, of every model. Without them list prices count, and PRICES_FILE over those.
    input_token_price: Price | None = None
    """US dollars for a million tokens that are read, whatever the model; without it list prices count. What a model
    without [a known price](costs.md) costs is unknown (null)."""
    output_token_price: Price | None = None
    """And for a million that are written."""
    prices_file: str | None = None
    """Prices of your own by model, over the list."""
    max_cost_per_hour: Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)] | None = None
    """US dollars that one worker may spend in 60 minutes; then it [pauses](costs.md#a-limit) until there is room
    again."""
