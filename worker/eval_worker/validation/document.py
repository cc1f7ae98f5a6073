"""A validation as JSON: the figures for programs, and with all that a report shows."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from eval_worker.evaluation.aggregate import Verdict
from eval_worker.validation.bootstrap import RESAMPLES
from eval_worker.validation.interpretation import interpret, interpret_comparison, interpret_suggestion
from eval_worker.validation.judge_agreement import judges_of
from eval_worker.validation.labels import PLACES, SCALE
from eval_worker.validation.pairs import Pair
from eval_worker.validation.rounding import rounded

if TYPE_CHECKING:
    from eval_worker.validation.annotation import BadRecord
    from eval_worker.validation.judging import Judged
    from eval_worker.validation.measures import Measures
    from eval_worker.validation.run import SetComparison, Validation

WORST = 10

Table = Sequence[Sequence[int]]
Distribution = dict[str, list[float]]


def figures(validation: "Validation") -> dict[str, Any]:
    """Return what stands on stdout."""
    measures = validation.measures
    return rounded(
        {
            "total_records": measures.total_records,
            "agreement_count": measures.agreement_count,
            "agreement_rate": measures.agreement_rate.value,
            "agreement_rate_interval": measures.agreement_rate.interval,
            "kendall_tau": measures.kendall_tau.value,
            "kendall_tau_interval": measures.kendall_tau.interval,
            "threshold": validation.plan.threshold,
            "passed": validation.passed,
            "interpretation": interpret(measures, validation.plan.threshold),
            "weighted_kappa": measures.weighted_kappa.value,
            "weighted_kappa_interval": measures.weighted_kappa.interval,
            "kappa_weights": "quadratic",
            "confidence_kendall_tau": measures.confidence_kendall_tau,
            "confusion_matrix": _matrix(measures.table),
            "per_judge": {judge: asdict(agreement) for judge, agreement in measures.per_judge.items()},
            "inter_judge_correlation": measures.inter_judge_correlation,
            "suggested_thresholds": _suggestion(measures),
            "comparison": _comparison(validation.comparison),
            **_provenance(validation),
        }
    )


def full_report(validation: "Validation", generated_at: str) -> dict[str, Any]:
    """Return the figures and what explains them: calibration, distributions, the worst disagreements, bad records."""
    more = {
        "input": validation.plan.input.name,
        "generated_at": generated_at,
        "thresholds": {
            "pass": validation.settings.pass_threshold,
            "review": validation.settings.review_threshold,
        },
        "calibration": [asdict(each) for each in validation.measures.calibration],
        "confidence_distribution": confidence_distribution(validation.judged.pairs),
        "score_distributions": score_distributions(validation.judged.pairs),
        "worst_disagreements": [_disagreement(pair) for pair in worst_disagreements(validation.judged.pairs)],
        "bad_records": _problems(validation.bad_records),
        "without_verdict": _problems(validation.judged.without_verdict),
        "bad_results": _problems(validation.bad_results),
    }
    return {**figures(validation), **rounded(more)}


def worst_disagreements(pairs: Sequence[Pair]) -> list[Pair]:
    """Return those furthest apart: by steps on the scale, then by how far the confidence is from the label's end."""
    differing = [pair for pair in pairs if not pair.agrees]
    return sorted(differing, key=_distance, reverse=True)[:WORST]


def confidence_distribution(pairs: Sequence[Pair]) -> Distribution:
    return _by_label((pair.human, pair.confidence) for pair in pairs)


def score_distributions(pairs: Sequence[Pair]) -> dict[str, Distribution]:
    return {
        judge: _by_label((pair.human, pair.judge_scores.get(judge)) for pair in pairs) for judge in judges_of(pairs)
    }


def unused_human_scores(pairs: Sequence[Pair]) -> dict[str, int]:
    """Count people's scores of judges that scored nothing, which is how a misspelt name shows."""
    judges = {name for pair in pairs for name, score in pair.judge_scores.items() if score is not None}
    return dict(Counter(name for pair in pairs for name in pair.human_scores if name not in judges))


def _provenance(validation: "Validation") -> dict[str, Any]:
    """Say who judged what, and what was left out."""
    judged = validation.judged
    return {
        "left_out": {
            "bad_records": len(validation.bad_records),
            "without_verdict": len(judged.without_verdict),
            "bad_results": len(validation.bad_results),
        },
        "labels_from_scores": sum(pair.label_from_scores for pair in judged.pairs),
        "unused_human_scores": unused_human_scores(judged.pairs),
        **judged_by(judged),
        "judged_now": judged.judged_now,
        "usage": judged.usage.model_dump(),
        "seed": validation.plan.seed,
        "resamples": RESAMPLES,
    }


def judged_by(judged: "Judged") -> dict[str, Any]:
    """Name the model and the judges, null where the records were judged by several; `judged_by` has all of them."""
    models = {model for model, _ in judged.judged_by}
    digests = {digest for _, digest in judged.judged_by}
    return {
        "model": models.pop() if len(models) == 1 else None,
        "judges_digest": digests.pop() if len(digests) == 1 else None,
        "judged_by": [
            {"model": model, "judges_digest": digest, "records": count}
            for (model, digest), count in judged.judged_by.most_common()
        ],
    }


def _matrix(table: Table) -> dict[str, dict[str, int]]:
    """By human label, then by verdict; `pass` comes first, as people read it."""
    return {
        human.value: {verdict.value: table[PLACES[human]][PLACES[verdict]] for verdict in reversed(SCALE)}
        for human in reversed(SCALE)
    }


def _suggestion(measures: "Measures") -> dict[str, Any] | None:
    suggestion = measures.suggestion
    if suggestion is None:
        return None
    return {**asdict(suggestion), "interpretation": interpret_suggestion(suggestion)}


def _comparison(compared: "SetComparison | None") -> dict[str, Any] | None:
    if compared is None:
        return None
    comparison = compared.comparison
    return {
        "finding": comparison.finding,
        "interpretation": interpret_comparison(comparison),
        "total_records": comparison.total_records,
        "not_compared": compared.not_compared,
        "kendall_tau": asdict(comparison.kendall_tau),
        "agreement_rate": asdict(comparison.agreement_rate),
        "weighted_kappa": asdict(comparison.weighted_kappa),
        "confusion_matrix": _matrix(comparison.present_table),
        "other_confusion_matrix": _matrix(comparison.other_table),
        **{f"other_{name}": value for name, value in judged_by(compared.other).items() if name != "judged_by"},
        "usage": compared.other.usage.model_dump(),
    }


def _disagreement(pair: Pair) -> dict[str, Any]:
    return {**pair.as_json(), "query": pair.query, "answer": pair.answer, "why": pair.why}


def _problems(records: "Sequence[BadRecord]") -> list[dict[str, Any]]:
    return [asdict(record) for record in records]


def _distance(pair: Pair) -> tuple[int, float]:
    ideal = PLACES[pair.human] / (len(SCALE) - 1)
    return abs(PLACES[pair.human] - PLACES[pair.verdict]), abs(pair.confidence - ideal)


def _by_label(scores: Iterable[tuple[Verdict, float | None]]) -> Distribution:
    """Return the five-number summary of the scores under each human label: least, quartiles, greatest."""
    found: dict[Verdict, list[float]] = {label: [] for label in reversed(SCALE)}
    for label, score in scores:
        if score is not None:
            found[label].append(score)
    return {label.value: _five_numbers(sorted(under)) for label, under in found.items() if under}


def _five_numbers(ordered: Sequence[float]) -> list[float]:
    last = len(ordered) - 1
    return [ordered[round(last * quarter / 4)] for quarter in range(5)]
