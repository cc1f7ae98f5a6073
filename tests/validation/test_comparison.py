"""Whether another set of judges agrees better: only an interval that leaves 0 out shows it."""

import random

from eval_worker.validation.comparison import compare


def noisy(human: list[int], share_right: float, seed: int) -> list[int]:
    draw = random.Random(seed)
    return [place if draw.random() < share_right else draw.randrange(3) for place in human]


HUMAN = [0, 1, 2] * 60
GOOD, POOR = noisy(HUMAN, 0.9, 1), noisy(HUMAN, 0.3, 2)


def test_a_set_that_agrees_better_is_found_better_and_the_reverse_is_worse():
    better, worse = compare(HUMAN, POOR, GOOD, seed=0), compare(HUMAN, GOOD, POOR, seed=0)

    assert (better.finding, worse.finding) == ("better", "worse")
    assert better.kendall_tau.interval is not None
    assert better.kendall_tau.interval[0] > 0
    assert (better.kendall_tau.share_better or 0) > 0.99
    assert (worse.agreement_rate.share_worse or 0) > 0.99


def test_two_sets_that_say_the_same_show_no_difference_at_all():
    same = compare(HUMAN, POOR, POOR, seed=0)

    assert same.finding == "no difference shown"
    assert (same.kendall_tau.difference, same.kendall_tau.interval) == (0.0, (0.0, 0.0))
    assert (same.kendall_tau.share_better, same.kendall_tau.share_worse) == (0.0, 0.0)


def test_a_small_difference_on_few_records_is_not_shown():
    human = HUMAN[:30]

    found = compare(human, noisy(human, 0.6, 3), noisy(human, 0.65, 4), seed=0)

    assert found.finding == "no difference shown"


def test_what_both_have_in_common_does_not_widen_the_interval():
    """Paired: sets that differ in a tenth of their verdicts differ by little in every resample."""
    other = [place if number % 10 else min(place + 1, 2) for number, place in enumerate(POOR)]

    paired = compare(HUMAN, POOR, other, seed=0).agreement_rate.interval
    apart = compare(HUMAN, POOR, noisy(HUMAN, 0.3, 9), seed=0).agreement_rate.interval

    assert paired is not None
    assert apart is not None
    assert paired[1] - paired[0] < (apart[1] - apart[0]) / 2


def test_few_records_have_a_difference_but_no_interval():
    found = compare([0, 1, 2], [2, 1, 0], [0, 1, 2], seed=0)

    assert found.kendall_tau.difference == 2.0
    assert found.kendall_tau.interval is None
    assert found.finding == "no difference shown"


def test_no_order_in_one_of_them_is_no_difference():
    assert compare(HUMAN, [1] * len(HUMAN), GOOD, seed=0).kendall_tau.difference is None
