"""Figures with intervals: over source items, and paired with the baselines'."""

import numpy as np
import pytest

from eval_worker.quality.measures import AUROC, PAIRS, TAU, WITHIN, Measure, Preferred, Rated, numbered

RANDOM = np.random.default_rng(11)
ITEMS = 40
HUMAN = np.tile([0.0, 0.5, 0.75, 1.0], ITEMS)
ITEM_OF = np.repeat(np.arange(ITEMS), 4)
GOOD_JUDGE = HUMAN + RANDOM.normal(0, 0.2, len(HUMAN))
NOISE = RANDOM.random(len(HUMAN))


def measured(judge: np.ndarray, groups: np.ndarray = ITEM_OF, seed: int = 0, **baselines: np.ndarray):
    found = Rated(HUMAN, groups, judge, baselines).measures(seed=seed)
    return {measure.name: measure for measure in found}


def width(measure: Measure) -> float:
    assert measure.interval is not None
    return measure.interval[1] - measure.interval[0]


def test_a_judge_that_orders_as_people_do_is_above_noise_and_a_constant_in_every_figure():
    found = measured(GOOD_JUDGE, noise=NOISE, constant=np.zeros(len(HUMAN)))

    assert list(found) == [TAU, AUROC, WITHIN]
    for measure in found.values():
        assert measure.value is not None
        assert measure.interval is not None
        assert measure.interval[0] <= measure.value <= measure.interval[1]
        assert {baseline.finding for baseline in measure.baselines.values()} == {"above"}
    assert found[AUROC].baselines["constant"].value == 0.5
    assert found[TAU].baselines["constant"].value == 0.0


def test_a_judge_is_not_told_apart_from_itself_and_noise_is_below_it():
    found = measured(NOISE, itself=NOISE, good=GOOD_JUDGE)[TAU]

    assert found.baselines["itself"].finding == "not told apart"
    assert found.baselines["itself"].difference_interval == (0.0, 0.0)
    assert found.baselines["good"].finding == "below"


def test_answers_about_one_item_count_for_less_than_as_many_items():
    spread = RANDOM.normal(0, 1, ITEMS)  # each item has a level of its own, which its answers share
    human = np.repeat((spread > 0).astype(float), 4)
    judge = np.repeat(spread + RANDOM.normal(0, 1, ITEMS), 4)

    by_item, by_record = (
        Rated(human, groups, judge, {}).measures(seed=0)[0] for groups in (ITEM_OF, np.arange(len(human)))
    )

    assert by_item.value == by_record.value
    assert width(by_item) > 1.5 * width(by_record)


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    assert measured(GOOD_JUDGE) == measured(GOOD_JUDGE)
    assert measured(GOOD_JUDGE)[TAU].interval != measured(GOOD_JUDGE, seed=1)[TAU].interval


def test_of_few_items_there_is_a_figure_but_no_interval_and_no_finding():
    found = Rated(HUMAN[:36], ITEM_OF[:36], GOOD_JUDGE[:36], {"noise": NOISE[:36]}).measures(seed=0)

    assert [measure.name for measure in found] == [TAU, AUROC]
    assert found[0].value is not None
    assert found[0].interval is None
    assert found[0].baselines["noise"].finding == "not told apart"


def test_a_judge_that_says_one_thing_of_all_has_no_tau():
    found = measured(np.ones(len(HUMAN)))

    assert (found[TAU].value, found[TAU].interval) == (None, None)
    assert found[AUROC].value == 0.5
    assert found[WITHIN].value == 0.0


def test_pairs_are_right_wrong_or_half_right():
    judge = np.asarray([2.0, 1.0, 1.0, 3.0] * 5), np.asarray([1.0, 2.0, 1.0, 0.0] * 5)
    (found,) = Preferred(np.arange(20), judge, {"reverse": (judge[1], judge[0])}).measures(seed=0)

    assert (found.name, found.n, found.value) == (PAIRS, 20, pytest.approx(12.5 / 20))
    assert found.baselines["reverse"].value == pytest.approx(7.5 / 20)
    assert found.baselines["reverse"].difference == pytest.approx(5 / 20)


def test_nothing_labelled_is_no_figure():
    nothing = np.zeros(0)
    assert Rated(nothing, numbered([]), nothing, {}).measures(seed=0) == ()
    assert Preferred(numbered([]), (nothing, nothing), {}).measures(seed=0) == ()


def test_groups_are_numbered_as_they_come():
    assert numbered(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2]
