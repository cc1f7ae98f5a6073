"""One judge on one data set: which records count, how its scores order them, and how far they are from people's."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np
from scipy import stats

from eval_worker.evaluation.stage import StageStatus
from eval_worker.quality.data_sets import DataSet, LabelledPair
from eval_worker.quality.judged import JudgedRecord
from eval_worker.quality.labelled import LabelledRecord
from eval_worker.quality.measures import Measure, Preferred, Rated, numbered
from eval_worker.quality.order_statistics import Scores
from eval_worker.validation.agreement import known

Judged = Mapping[int, JudgedRecord]
"""By line."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What became of the records, or pairs, with a label of this judge. An early exit is among those measured.

    A pair is unscored if one of its answers is. `ties` are pairs whose answers have the same score.
    """

    labelled: int
    measured: int
    exited_early: int
    unscored: int
    not_applicable: int
    without_verdict: int
    ties: int = 0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Are the scores at people's level? `bias` is the judge's mean less people's.

    `constant_error` is the mean absolute error of the one score that fits these records best, their median.
    `spearman_rho` is here because dialogue metrics are published with it.
    """

    mean_absolute_error: float
    bias: float
    constant_error: float
    spearman_rho: float | None


@dataclass(frozen=True, slots=True)
class JudgeQuality:
    judge: str
    records: Counted | None
    pairs: Counted | None
    calibration: Calibration | None
    measures: tuple[Measure, ...]


def judge_quality(
    judge: str, data_set: DataSet, judged: Judged, baselines: Mapping[str, Scores], *, seed: int
) -> JudgeQuality:
    """Measure it. `baselines` have a score for each record of the data set, in their order."""
    labelled = [place for place, record in enumerate(data_set.records) if judge in record.human]
    pairs = data_set.pairs.get(judge, ())
    scores = _scores(judge, data_set.records, judged)
    rated = [place for place in labelled if scores[place] is not None]
    preferred = [pair for pair in pairs if scores[pair.preferred] is not None and scores[pair.other] is not None]
    known_scores = np.asarray([np.nan if score is None else score for score in scores])
    human = np.asarray([data_set.records[place].human[judge] for place in rated])
    measures = (
        *Rated(
            human=human,
            groups=numbered([data_set.records[place].group for place in rated]),
            judge=known_scores[rated],
            baselines={name: each[rated] for name, each in baselines.items()},
        ).measures(seed=seed),
        *_preferred(preferred, data_set.records, known_scores, baselines).measures(seed=seed),
    )
    outcomes = [_outcome(judge, judged.get(record.number)) for record in data_set.records]
    ties = sum(scores[pair.preferred] == scores[pair.other] for pair in preferred)
    return JudgeQuality(
        judge,
        records=_counted([(outcomes[place],) for place in labelled]) if labelled else None,
        pairs=_counted([(outcomes[pair.preferred], outcomes[pair.other]) for pair in pairs], ties) if pairs else None,
        calibration=_calibration(known_scores[rated], human) if rated else None,
        measures=measures,
    )


def _preferred(
    pairs: Sequence[LabelledPair], records: Sequence[LabelledRecord], scores: Scores, baselines: Mapping[str, Scores]
) -> Preferred:
    first, second = [pair.preferred for pair in pairs], [pair.other for pair in pairs]
    return Preferred(
        groups=numbered([records[place].group for place in first]),
        judge=(scores[first], scores[second]),
        baselines={name: (each[first], each[second]) for name, each in baselines.items()},
    )


def _scores(judge: str, records: Sequence[LabelledRecord], judged: Judged) -> list[float | None]:
    found = [judged.get(record.number) for record in records]
    return [None if each is None else each.score(judge) for each in found]


def _outcome(judge: str, record: JudgedRecord | None) -> str:
    if record is None:
        return "without_verdict"
    if record.early_exit:
        return "exited_early"
    if record.score(judge) is not None:
        return "scored"
    return "unscored" if record.statuses.get(judge) is StageStatus.ERROR else "not_applicable"


def _counted(outcomes: Sequence[tuple[str, ...]], ties: int = 0) -> Counted:
    """Count each under the worst that became of its answers."""
    worst_first = ("without_verdict", "unscored", "not_applicable", "exited_early", "scored")
    counts = Counter(min(each, key=worst_first.index) for each in outcomes)
    return Counted(
        labelled=len(outcomes),
        measured=counts["scored"] + counts["exited_early"],
        exited_early=counts["exited_early"],
        unscored=counts["unscored"],
        not_applicable=counts["not_applicable"],
        without_verdict=counts["without_verdict"],
        ties=ties,
    )


def _calibration(scores: Scores, human: Scores) -> Calibration:
    middle = median(human.tolist())
    return Calibration(
        mean_absolute_error=fmean(np.abs(scores - human).tolist()),
        bias=fmean((scores - human).tolist()),
        constant_error=fmean(np.abs(human - middle).tolist()),
        spearman_rho=_spearman_rho(scores, human),
    )


def _spearman_rho(scores: Scores, human: Scores) -> float | None:
    if len(np.unique(scores)) == 1 or len(np.unique(human)) == 1:
        return None
    return known(float(stats.spearmanr(scores, human).statistic))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType, reportAttributeAccessIssue] (scipy has no types)
