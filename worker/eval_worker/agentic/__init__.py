"""Whole conversations: which are correct, how reliably, and whether the right tools were called.

What is public is loaded when it is first asked for: figures alone need neither models nor what they are made of.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eval_worker.agentic.dataset import Batch, Dataset, SessionMetadata, StreamedBatch
    from eval_worker.agentic.metric import AgenticMetric, AggregatedMetrics, QuestionMetric
    from eval_worker.agentic.retriever import Retriever
    from eval_worker.agentic.statistics.across_tasks import AcrossTasks, across_tasks
    from eval_worker.agentic.statistics.estimators import (
        pass_at_k,
        pass_pow_k,
        unbiased_pass_at_k,
        unbiased_pass_pow_k,
    )
    from eval_worker.agentic.statistics.pass_curve import pass_curve
    from eval_worker.agentic.statistics.pass_estimate import PassEstimate
    from eval_worker.agentic.statistics.statistical_mode import BayesianMode, FrequentistMode, StatisticalMode
    from eval_worker.agentic.statistics.trials import count_trials
    from eval_worker.agentic.tools.tool_correctness import ToolCorrectnessScore, tool_correctness
    from eval_worker.doors.library import Agentic, AgenticMetrics  # noqa: TID251 (the door is found under this name)

__all__ = [
    "AcrossTasks",
    "Agentic",
    "AgenticMetric",
    "AgenticMetrics",
    "AggregatedMetrics",
    "Batch",
    "BayesianMode",
    "Dataset",
    "FrequentistMode",
    "PassEstimate",
    "QuestionMetric",
    "Retriever",
    "SessionMetadata",
    "StatisticalMode",
    "StreamedBatch",
    "ToolCorrectnessScore",
    "across_tasks",
    "count_trials",
    "pass_at_k",
    "pass_curve",
    "pass_pow_k",
    "tool_correctness",
    "unbiased_pass_at_k",
    "unbiased_pass_pow_k",
]

_HOMES = {
    "agentic.dataset": ("Batch", "Dataset", "SessionMetadata", "StreamedBatch"),
    "agentic.metric": ("AgenticMetric", "AggregatedMetrics", "QuestionMetric"),
    "agentic.retriever": ("Retriever",),
    "agentic.statistics.across_tasks": ("AcrossTasks", "across_tasks"),
    "agentic.statistics.estimators": ("pass_at_k", "pass_pow_k", "unbiased_pass_at_k", "unbiased_pass_pow_k"),
    "agentic.statistics.pass_curve": ("pass_curve",),
    "agentic.statistics.pass_estimate": ("PassEstimate",),
    "agentic.statistics.statistical_mode": ("BayesianMode", "FrequentistMode", "StatisticalMode"),
    "agentic.statistics.trials": ("count_trials",),
    "agentic.tools.tool_correctness": ("ToolCorrectnessScore", "tool_correctness"),
    "doors.library": ("Agentic", "AgenticMetrics"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"eval_worker.{home}"), name)


def __dir__() -> list[str]:
    return __all__
