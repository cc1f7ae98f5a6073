"""The figures in words, by bands that docs/validation.md lists."""

from typing import TYPE_CHECKING

from eval_worker.validation.labels import SCALE

if TYPE_CHECKING:
    from eval_worker.validation.comparison import Comparison
    from eval_worker.validation.measures import Measures
    from eval_worker.validation.thresholds import ThresholdSuggestion

BANDS = ((0.7, "very strong"), (0.5, "strong"), (0.3, "moderate"), (0.1, "weak"))


def band(tau: float) -> str:
    """Name the strength of a tau."""
    if tau <= -BANDS[-1][0]:
        return "reversed"
    return next((name for lowest, name in BANDS if tau >= lowest), "no")


def interpret(measures: "Measures", threshold: float) -> str:
    """Say what tau means, how sure that is, and where it stands to the threshold."""
    tau, interval = measures.kendall_tau.value, measures.kendall_tau.interval
    if tau is None:
        return f"agreement can't be told: {why_undefined(measures)}"
    opening = f"{band(tau)} agreement with people: tau-b {tau:.2f}"
    if interval is None:
        return f"{opening}, {_side(tau, threshold)}; too few records for an interval"
    spread = f"{opening} (95% interval {interval[0]:.2f} to {interval[1]:.2f})"
    if interval[0] < threshold <= interval[1]:
        return f"{spread}, {_side(tau, threshold)}, which lies within the interval: more records would make it surer"
    return f"{spread}, {_side(tau, threshold)}"


def why_undefined(measures: "Measures") -> str:
    """Say why there is no tau, and so no passing."""
    if measures.total_records < 2:  # noqa: PLR2004
        return f"{measures.total_records} record is too few, annotate more" if measures.total_records else "no record"
    rows = [place for place, row in enumerate(measures.table) if sum(row)]
    if len(rows) == 1:
        label = SCALE[rows[0]].value
        return f"all human labels are {label!r}, so there is no order to compare; annotate records of other labels too"
    verdict = SCALE[next(place for place, count in enumerate(map(sum, zip(*measures.table, strict=True))) if count)]
    return f"all verdicts are {verdict.value!r}, so the judges tell nothing apart"


def interpret_suggestion(suggestion: "ThresholdSuggestion | None") -> str:
    if suggestion is None:
        return "no suggestion: it needs 10 records or more, two different human labels, and two different confidences"
    before, after, unseen = suggestion.before, suggestion.after, suggestion.cross_validated
    if (after.weighted_kappa or 0.0) <= (before.weighted_kappa or 0.0):
        return "keep the present thresholds: no others fit these records better"
    figures = (
        f"pass above {suggestion.pass_threshold:g} and review above {suggestion.review_threshold:g} would fit these "
        f"records best: agreement {_share(before.agreement_rate)} -> {_share(after.agreement_rate)}, weighted kappa "
        f"{_figure(before.weighted_kappa)} -> {_figure(after.weighted_kappa)}; on records that had no part in choosing "
        f"them {_share(unseen.agreement_rate)} and {_figure(unseen.weighted_kappa)}"
    )
    if suggestion.advised:
        return figures
    return f"keep the present thresholds: {figures}, which is no better than now"


def interpret_comparison(comparison: "Comparison") -> str:
    tau = comparison.kendall_tau
    if tau.difference is None:
        return "no difference shown: tau is undefined for one of the two sets"
    change = f"tau-b {_figure(tau.present)} -> {_figure(tau.other)}"
    if tau.interval is None:
        return f"no difference shown: {change}; too few records for an interval"
    spread = (
        f"{change}, difference {tau.difference:+.2f} (95% interval {tau.interval[0]:+.2f} to {tau.interval[1]:+.2f})"
    )
    share = f"the other set is better in {tau.share_better or 0:.0%} of the resamples"
    if comparison.finding == "no difference shown":
        return f"no difference shown: {spread}; {share}"
    return f"the other set agrees {comparison.finding} with people: {spread}; {share}"


def _side(tau: float, threshold: float) -> str:
    return f"{'at or above' if tau >= threshold else 'under'} the threshold of {threshold:g}"


def _share(figure: float | None) -> str:
    return "undefined" if figure is None else f"{figure:.0%}"


def _figure(figure: float | None) -> str:
    return "undefined" if figure is None else f"{figure:.2f}"
