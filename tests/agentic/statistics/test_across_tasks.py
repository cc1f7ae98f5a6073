"""A benchmark's figures: means of the tasks' own, with an interval over tasks."""

import time
import tracemalloc

import numpy as np
import pytest
from tests.waiting import once_in_a_few_tries

from eval_worker.agentic.statistics.across_tasks import AcrossTasks, across_tasks
from eval_worker.agentic.statistics.bootstrap import interval_of_means
from eval_worker.agentic.statistics.trials import count_trials

HARD_AND_EASY = ([4, 4, 4, 4], [0, 1, 3, 4])


def drawn_tasks(tasks: int, trials: int) -> np.ndarray:
    random = np.random.default_rng(7)
    return random.random((tasks, trials)) < random.beta(2, 2, size=(tasks, 1))


def test_the_mean_is_of_the_tasks_own_unbiased_estimates():
    found = across_tasks(*HARD_AND_EASY, 2)

    assert found.pass_pow_k_per_task.tolist() == [0.0, 0.0, 0.5, 1.0]
    assert found.pass_at_k_per_task.tolist() == [0.0, 0.5, 1.0, 1.0]
    assert (found.pass_pow_k, found.pass_at_k) == (0.375, 0.625)


def test_trials_are_never_pooled_over_tasks():
    # Pooled, 8 of 16 would be 0.5^4; but a task that always succeeds succeeds four times as well.
    found = across_tasks([4, 4, 4, 4], [0, 0, 4, 4], 4, estimator="plug-in")

    assert (found.pass_pow_k, found.pass_at_k) == (0.5, 0.5)


def test_the_plug_in_is_there_by_name():
    found = across_tasks(*HARD_AND_EASY, 2, estimator="plug-in")

    assert (found.pass_pow_k, found.pass_at_k) == pytest.approx(
        ((0 + 0.25**2 + 0.75**2 + 1) / 4, (0 + 1 - 0.75**2 + 1 - 0.25**2 + 1) / 4)
    )


def test_a_task_with_fewer_trials_than_attempts_has_no_unbiased_estimate_and_is_counted_as_left_out():
    found = across_tasks([4, 2, 0, 4], [4, 2, 0, 0], 3)

    assert (found.tasks, found.left_out) == (2, 2)
    assert (found.pass_pow_k, found.pass_at_k) == (0.5, 0.5)
    assert np.isnan(found.pass_pow_k_per_task).tolist() == [False, True, True, False]


def test_the_plug_in_leaves_out_only_tasks_without_trials():
    found = across_tasks([4, 2, 0, 4], [4, 2, 0, 0], 3, estimator="plug-in")

    assert (found.tasks, found.left_out) == (3, 1)


def test_one_task_has_no_interval_and_no_task_no_mean():
    one, none = across_tasks([4], [3], 2), across_tasks([1], [1], 2)

    assert (one.pass_pow_k, one.pass_pow_k_ci_low, one.pass_at_k_ci_high) == (0.5, None, None)
    assert (none.tasks, none.left_out, none.pass_at_k, none.pass_pow_k) == (0, 1, None, None)
    assert across_tasks([], [], 2).tasks == 0


def test_the_same_seed_gives_the_same_interval_and_another_seed_nearly_the_same():
    n, c = count_trials(drawn_tasks(300, 8))

    def ends(found: AcrossTasks) -> tuple[float | None, float | None]:
        return found.pass_pow_k_ci_low, found.pass_pow_k_ci_high

    assert across_tasks(n, c, 3) == across_tasks(n, c, 3)
    other = across_tasks(n, c, 3, seed=1)
    assert ends(other) != ends(across_tasks(n, c, 3))
    assert ends(other) == pytest.approx(ends(across_tasks(n, c, 3)), abs=0.01)


@pytest.mark.parametrize("distinct_values", [True, False])
def test_of_many_tasks_the_interval_is_the_normal_one_for_their_mean(distinct_values: bool):
    random = np.random.default_rng(3)
    n = random.integers(500, 1500, size=1000) if distinct_values else np.full(1000, 10)
    c = random.binomial(n, random.beta(2, 2, size=1000))

    found = across_tasks(n, c, 3, level=0.9, resamples=10_000)

    for name in ("pass_at_k", "pass_pow_k"):
        values: np.ndarray = getattr(found, f"{name}_per_task")
        half = 1.645 * values.std() / np.sqrt(1000)
        expected = (values.mean() - half, values.mean(), values.mean() + half)
        ends = (getattr(found, f"{name}_ci_low"), getattr(found, name), getattr(found, f"{name}_ci_high"))
        assert ends == pytest.approx(expected, abs=half / 20)


def test_ten_thousand_tasks_of_fifty_trials_take_under_a_second():
    trials = drawn_tasks(10_000, 50)
    across_tasks(*count_trials(trials[:100]), 5)

    def seconds() -> float:
        started = time.process_time()
        assert across_tasks(*count_trials(trials), 5).tasks == 10_000
        return time.process_time() - started

    assert once_in_a_few_tries(lambda: seconds() < 1.0)


def test_many_tasks_cost_little_more_than_those_of_the_distinct_among_them():
    n, c = count_trials(drawn_tasks(50_000, 50))

    def seconds() -> float:
        started = time.process_time()
        assert across_tasks(n, c, 5, resamples=20_000).tasks == 50_000
        return time.process_time() - started

    assert once_in_a_few_tries(lambda: seconds() < 3.0)  # a thousand million tasks, drawn one by one, take some 12 s


def test_there_are_as_many_resamples_as_asked_for_even_a_single_one():
    found = across_tasks(*HARD_AND_EASY, 2, resamples=1)

    assert found.pass_pow_k_ci_low == found.pass_pow_k_ci_high


def test_memory_stays_in_bounds_where_all_tasks_differ():
    values = np.random.default_rng(5).random((2, 20_000))
    tracemalloc.start()
    try:
        interval_of_means(values, level=0.95, resamples=500, seed=0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 10e6  # all 500 resamples at once are 80 MB


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": "pooled"}, "estimator is 'pooled': it must be one of unbiased, plug-in"),
        ({"level": 95}, "level is 95: it must be between 0 and 1"),
        ({"resamples": 0}, "resamples is 0: it must be at least 1"),
        ({"seed": -1}, "seed is -1: it must be at least 0"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_by_name(options: dict[str, object], message: str):
    with pytest.raises(ValueError, match=message):
        across_tasks([4, 4], [1, 2], 2, **options)  # pyright: ignore[reportArgumentType] (that is the test)


def test_counts_of_one_task_each_are_asked_for():
    with pytest.raises(ValueError, match=r"c \(successes\) has 2 dimensions: it must have one"):
        across_tasks([[4, 4]], [[1, 2]], 2)  # pyright: ignore[reportArgumentType] (that is the test)
