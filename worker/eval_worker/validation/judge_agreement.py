"""Each judge on its own: against people, and against the other judges."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from eval_worker.validation.labels import PLACES
from eval_worker.validation.pairs import Pair
from eval_worker.validation.tau import tau_b

Correlations = dict[str, dict[str, float | None]]


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """`kendall_tau` is taken over `n` records, against people's scores of this judge where there are any, else labels.

    `bias` is the judge's mean less the people's: above 0 it is kinder than they are.
    """

    against: Literal["human_scores", "human_annotation"]
    n: int
    kendall_tau: float | None
    mean_absolute_error: float | None
    bias: float | None
    mean_score: float | None
    label_kendall_tau: float | None
    scored: int
    unscored: int


def judges_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Return the judges in the order in which they first stand."""
    return tuple(dict.fromkeys(name for pair in pairs for name in pair.judge_scores))


def judge_agreement(pairs: Sequence[Pair], judge: str) -> JudgeAgreement:
    scored = [(score, pair) for pair in pairs if (score := pair.judge_scores.get(judge)) is not None]
    labels = [float(PLACES[pair.human]) for _, pair in scored]
    label_tau = tau_b([score for score, _ in scored], labels)
    rated = [(score, pair.human_scores[judge]) for score, pair in scored if judge in pair.human_scores]
    errors = [score - human for score, human in rated]
    return JudgeAgreement(
        against="human_scores" if rated else "human_annotation",
        n=len(rated or scored),
        kendall_tau=tau_b([score for score, _ in rated], [human for _, human in rated]) if rated else label_tau,
        mean_absolute_error=_mean([abs(error) for error in errors]),
        bias=_mean(errors),
        mean_score=_mean([score for score, _ in scored]),
        label_kendall_tau=label_tau,
        scored=len(scored),
        unscored=sum(judge in pair.judge_scores for pair in pairs) - len(scored),
    )


def inter_judge_correlation(pairs: Sequence[Pair], judges: Sequence[str]) -> Correlations:
    """Return tau-b of each two judges over the records that both scored; None where it is undefined."""
    found: Correlations = {judge: {} for judge in judges}
    for place, first in enumerate(judges):
        for second in judges[place:]:
            found[first][second] = found[second][first] = _correlation(pairs, first, second)
    return {judge: {other: found[judge][other] for other in judges} for judge in judges}


def _correlation(pairs: Sequence[Pair], first: str, second: str) -> float | None:
    both = [
        (one, other)
        for pair in pairs
        if (one := pair.judge_scores.get(first)) is not None and (other := pair.judge_scores.get(second)) is not None
    ]
    return tau_b([one for one, _ in both], [other for _, other in both])


def _mean(figures: Sequence[float]) -> float | None:
    return sum(figures) / len(figures) if figures else None
