"""All figures of one validation, computed from its pairs. Nothing in here asks a model or opens a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval_worker.validation.agreement import Counts, Figures, agreement_rates, confusion_table, known
from eval_worker.validation.bootstrap import Interval, percentile_interval, resampled_tables
from eval_worker.validation.calibration import CalibrationBin, calibration
from eval_worker.validation.comparison import as_rows
from eval_worker.validation.judge_agreement import (
    Correlations,
    JudgeAgreement,
    inter_judge_correlation,
    judge_agreement,
    judges_of,
)
from eval_worker.validation.kappa import weighted_kappas
from eval_worker.validation.pairs import Pair, human_places, verdict_places
from eval_worker.validation.tau import tau_b, taus_b_of_tables
from eval_worker.validation.thresholds import Confidences, Thresholds, ThresholdSuggestion, suggest_thresholds


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its 95% interval; None is undefined, or too few records to tell."""

    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Measures:
    """`table` counts human labels (rows) by verdicts (columns), both from `fail` to `pass`."""

    total_records: int
    agreement_count: int
    agreement_rate: Estimate
    kendall_tau: Estimate
    weighted_kappa: Estimate
    confidence_kendall_tau: float | None
    table: tuple[tuple[int, ...], ...]
    per_judge: dict[str, JudgeAgreement]
    inter_judge_correlation: Correlations
    calibration: tuple[CalibrationBin, ...]
    suggestion: ThresholdSuggestion | None


def measure(pairs: Sequence[Pair], *, thresholds: Thresholds, seed: int) -> Measures:
    """Compute every figure. `thresholds` are the present ones of `pass` and `review`."""
    human, verdicts = human_places(pairs), verdict_places(pairs)
    table = confusion_table(human, verdicts)
    drawn = resampled_tables(table, seed=seed)
    judges = judges_of(pairs)
    return Measures(
        total_records=len(pairs),
        agreement_count=int(table.trace()),
        agreement_rate=_estimate(agreement_rates, table, drawn),
        kendall_tau=_estimate(taus_b_of_tables, table, drawn),
        weighted_kappa=_estimate(weighted_kappas, table, drawn),
        confidence_kendall_tau=tau_b([pair.confidence for pair in pairs], human),
        table=as_rows(table),
        per_judge={judge: judge_agreement(pairs, judge) for judge in judges},
        inter_judge_correlation=inter_judge_correlation(pairs, judges),
        calibration=calibration(pairs),
        suggestion=suggest_thresholds(_confidences(pairs, human, table, thresholds), seed=seed),
    )


def _estimate(figure: Callable[[Counts], Figures], table: Counts, drawn: Counts | None) -> Estimate:
    value = known(float(figure(table)))
    if value is None or drawn is None:
        return Estimate(value, None)
    return Estimate(value, percentile_interval(figure(drawn)))


def _confidences(pairs: Sequence[Pair], human: Sequence[int], table: Counts, thresholds: Thresholds) -> Confidences:
    return Confidences(
        human=human,
        confidences=[pair.confidence for pair in pairs],
        may_pass=[pair.may_pass for pair in pairs],
        early_exit=[pair.early_exit for pair in pairs],
        present_table=table,
        present=thresholds,
    )
