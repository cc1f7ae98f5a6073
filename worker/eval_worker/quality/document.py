"""A measurement as JSON, which stands on stdout."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from eval_worker.quality.baselines import BASELINES
from eval_worker.quality.labelled import GOOD
from eval_worker.quality.measures import PAIRS, RESAMPLES, TAU
from eval_worker.validation.rounding import rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from eval_worker.quality.conduct import Exits
    from eval_worker.quality.judge_quality import JudgeQuality
    from eval_worker.quality.measures import Measure
    from eval_worker.quality.run import DataSetQuality, Quality


def figures(quality: "Quality") -> dict[str, Any]:
    return rounded(
        {
            "judged_by": [
                {"model": model, "judges_digest": digest, "records": count}
                for (model, digest), count in quality.judged_by.items()
            ],
            "data_sets": [_data_set(each) for each in quality.data_sets],
            "against_baselines": against_baselines(quality),
            "early_exits": {"good": _exits(quality.good), "bad": _exits(quality.bad)},
            "usage": quality.usage.model_dump(),
            "unlabelled_judges": list(quality.unlabelled_judges),
            "unknown_judges": dict(quality.unknown_judges),
            "good_from": GOOD,
            "resamples": RESAMPLES,
            "seed": quality.plan.seed,
        }
    )


def against_baselines(quality: "Quality") -> dict[str, dict[str, int]]:
    """Count for each baseline the data sets x judges where the judge is above, below, not told apart.

    By tau-b where people gave scores, by the accuracy on pairs where they chose.
    """
    counted = {name: {"above": 0, "not told apart": 0, "below": 0} for name in BASELINES}
    for measure in _leading_measures(quality):
        for name, baseline in measure.baselines.items():
            counted[name][baseline.finding] += 1
    return counted


def _leading_measures(quality: "Quality") -> "Iterable[Measure]":
    measures = (measure for each in quality.data_sets for judge in each.judges for measure in judge.measures)
    return (measure for measure in measures if measure.name in {TAU, PAIRS})


def _data_set(quality: "DataSetQuality") -> dict[str, Any]:
    data_set, conduct = quality.data_set, quality.conduct
    return {
        "name": data_set.name,
        "records": len(data_set.records),
        "groups": len({record.group for record in data_set.records}),
        "left_out": {
            "unlabelled": data_set.unlabelled,
            "one_sided_pairs": data_set.one_sided_pairs,
            "without_verdict": len(quality.without_verdict),
        },
        "judges": [_judge(each) for each in quality.judges],
        "early_exits": {"good": _exits(conduct.good), "bad": _exits(conduct.bad)},
        "latency_ms": {"p50": conduct.p50_ms, "p95": conduct.p95_ms},
        "usage": conduct.usage.model_dump(),
    }


def _judge(quality: "JudgeQuality") -> dict[str, Any]:
    return {
        "judge": quality.judge,
        "records": quality.records and asdict(quality.records),
        "pairs": quality.pairs and asdict(quality.pairs),
        "calibration": quality.calibration and asdict(quality.calibration),
        "measures": {measure.name: _measure(measure) for measure in quality.measures},
    }


def _measure(measure: "Measure") -> "Mapping[str, Any]":
    return {name: value for name, value in asdict(measure).items() if name != "name"}


def _exits(exits: "Exits") -> dict[str, Any]:
    return {
        "answers": exits.answers,
        "exited": exits.exited,
        "share": exits.share,
        "event_ids": list(exits.event_ids),
    }
