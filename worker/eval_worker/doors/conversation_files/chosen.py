"""What is asked for: the file's config, with the flags of the command laid over it."""

from typing import Any, Literal

from eval_worker.agentic.config import AgenticConfig, BayesianConfig, FrequentistConfig
from eval_worker.agentic.statistics.statistical_mode import BayesianMode, FrequentistMode, StatisticalMode
from eval_worker.errors import SettingsError

Interval = Literal["wilson", "clopper-pearson"]


def chosen_config(
    given: AgenticConfig, *, bayesian: bool, interval: Interval | None, level: float | None, **flags: Any
) -> AgenticConfig:
    """Return the config with the flags that were given (neither None nor false) in place of its own values.

    Raises:
        SettingsError: a level was asked for, and nothing has an interval.
    """
    mode = _mode(given, bayesian=bayesian, interval=interval)
    if level is not None:
        if isinstance(mode, FrequentistConfig) and mode.interval is None:
            raise SettingsError("--level is of an interval: it goes with --bayesian or --interval")
        mode = mode.model_copy(update={"level": level})
    overrides = {name: value for name, value in flags.items() if value is not None and value is not False}
    return given.model_copy(update={**overrides, "statistical_mode": mode})


def describe_mode(mode: StatisticalMode) -> str:
    match mode:
        case FrequentistMode(interval=None):
            return "frequentist, p = c/n, without intervals"
        case FrequentistMode(interval=interval, level=level):
            return f"frequentist, p = c/n, with {100 * level:g}% {str(interval).title()} intervals"
        case BayesianMode(prior_alpha=alpha, prior_beta=beta, level=level):
            return f"Bayesian, Beta({alpha:g}, {beta:g}) prior, with {100 * level:g}% equal-tailed intervals"
        case _:
            raise AssertionError(f"a config makes no {type(mode).__name__}")


def _mode(given: AgenticConfig, *, bayesian: bool, interval: Interval | None) -> FrequentistConfig | BayesianConfig:
    """A prior or a level that the file gives is kept where the flag asks for the same kind of mode."""
    mode = given.statistical_mode
    if bayesian and not isinstance(mode, BayesianConfig):
        return BayesianConfig(name="bayesian", level=mode.level)
    if interval is not None:
        return FrequentistConfig(interval=interval, level=mode.level)
    return mode
