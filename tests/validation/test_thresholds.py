"""Suggested thresholds: what fits best, by the verdicts' own rules, and advised only where it holds elsewhere too."""

import random
from itertools import combinations_with_replacement

import pytest
from tests.validation.pairs_made import pair

from eval_worker.evaluation.aggregate import ScoringPolicy, Verdict, verdict_for
from eval_worker.validation.agreement import confusion_table
from eval_worker.validation.kappa import weighted_kappas
from eval_worker.validation.labels import PLACES
from eval_worker.validation.measures import measure
from eval_worker.validation.pairs import Pair
from eval_worker.validation.thresholds import ThresholdSuggestion, candidate_cuts


def suggestion_for(pairs: list[Pair], present: tuple[float, float] = (0.8, 0.5)) -> ThresholdSuggestion | None:
    return measure(pairs, thresholds=present, seed=0).suggestion


def apart(count: int = 10) -> list[Pair]:
    """People pass above 0.6, and fail up to 0.3."""
    confidences = [(place + 0.5) / count for place in range(count)]
    return [
        pair("pass" if confidence > 0.6 else "review" if confidence > 0.3 else "fail", confidence, number=number)
        for number, confidence in enumerate(confidences)
    ]


def test_thresholds_that_part_the_labels_are_found_and_advised():
    found = suggestion_for(apart(40))

    assert found is not None
    assert 0.58 <= found.pass_threshold < 0.62
    assert 0.28 <= found.review_threshold < 0.32
    assert found.after.weighted_kappa == found.after.agreement_rate == 1.0
    assert found.before.agreement_rate is not None
    assert found.before.agreement_rate < 1
    assert found.advised


def test_they_are_the_best_of_all_cuts_as_the_pipeline_would_judge():
    draw = random.Random(7)
    labels = ["fail", "review", "pass"]
    pairs = [
        pair(
            draw.choice(labels),
            round(draw.random(), 2),
            number=number,
            partial=draw.random() < 0.2,
            early_exit=draw.random() < 0.1,
        )
        for number in range(40)
    ]
    found = suggestion_for(pairs)

    best = max(
        kappa_with(pairs, review, highest)
        for review, highest in combinations_with_replacement(candidate_cuts([each.confidence for each in pairs]), 2)
    )
    assert found is not None
    assert found.after.weighted_kappa == pytest.approx(best)
    assert kappa_with(pairs, found.review_threshold, found.pass_threshold) == pytest.approx(best)


def kappa_with(pairs: list[Pair], review: float, highest: float) -> float:
    policy = ScoringPolicy(pass_above=highest, review_above=review)
    verdicts = [
        Verdict.FAIL if each.early_exit else verdict_for(each.confidence, policy, may_pass=each.may_pass)
        for each in pairs
    ]
    table = confusion_table([PLACES[each.human] for each in pairs], [PLACES[verdict] for verdict in verdicts])
    return float(weighted_kappas(table))


def test_no_threshold_lets_a_partial_result_pass():
    pairs = [pair("pass", 0.9, number=n, partial=True, verdict=Verdict.REVIEW) for n in range(8)]
    pairs += [pair("fail", 0.1 + n / 100, number=n) for n in range(8)]

    found = suggestion_for(pairs)

    assert found is not None
    assert found.after.agreement_rate == 0.5


def test_a_result_in_which_no_judge_scored_may_not_pass():
    assert not pair("pass", 0.9, scores={}).may_pass
    assert not pair("pass", 0.9, scores={"relevance": None}, partial=True).may_pass
    assert pair("pass", 0.9).may_pass


def test_thresholds_that_fit_chance_alone_are_not_advised():
    """Labels thrown by a die: what fits them best fits nothing else, which cross-validation shows."""
    draw = random.Random(11)
    pairs = [pair(draw.choice(["pass", "review", "fail"]), draw.random(), number=n) for n in range(40)]

    found = suggestion_for(pairs)

    assert found is not None
    assert found.after.weighted_kappa is not None
    assert found.cross_validated.weighted_kappa is not None
    assert found.after.weighted_kappa > found.cross_validated.weighted_kappa + 0.1


@pytest.mark.parametrize(
    "pairs",
    [
        apart(9),
        [pair("pass", place / 20, number=place) for place in range(20)],
        [pair("pass" if place % 2 else "fail", 0.5, number=place) for place in range(20)],
    ],
    ids=["nine records", "one label", "one confidence"],
)
def test_there_is_no_suggestion_where_nothing_can_be_told(pairs: list[Pair]):
    assert suggestion_for(pairs) is None


def test_a_cut_is_the_roundest_number_between_two_confidences():
    assert candidate_cuts([0.7142857, 0.7563, 0.76]).tolist() == [0.74, 0.758]


def test_a_cut_tells_neighbours_apart_however_near():
    low = 0.3
    high = low + 1e-14

    (cut,) = candidate_cuts([low, high])

    assert low <= cut < high
