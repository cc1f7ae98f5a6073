"""A benchmark's record, counted."""

import numpy as np
import pytest

from eval_worker.agentic.statistics.trials import Trials, count_trials


@pytest.mark.parametrize(
    "trials",
    [
        [[True, False, True], [False, False, False]],
        [[1, 0, 1], [0, 0, 0]],
        [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]],
        np.asarray([[True, False, True], [False, False, False]]),
        np.asarray([[1, 0, 1], [0, 0, 0]]),
    ],
)
def test_successes_are_counted_by_task(trials: Trials):
    n, c = count_trials(trials)

    assert (n.tolist(), c.tolist()) == ([3, 3], [2, 0])
    assert n.dtype == c.dtype == np.int64


def test_tasks_may_differ_in_how_often_they_were_tried():
    n, c = count_trials([[1, 0, 1], [], [1]])

    assert (n.tolist(), c.tolist()) == ([3, 0, 1], [2, 0, 1])


@pytest.mark.parametrize("trials", [[[1, None, 0], [None, None, 1]], np.asarray([[1, np.nan, 0], [np.nan, np.nan, 1]])])
def test_a_trial_that_is_unknown_is_left_out_and_not_a_failure(trials: Trials):
    n, c = count_trials(trials)

    assert (n.tolist(), c.tolist()) == ([2, 1], [1, 1])


def test_a_data_frame_is_read_by_its_values():
    class Frame:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return np.asarray([[1, 0], [1, 1]])

    n, c = count_trials(Frame())  # pyright: ignore[reportArgumentType]

    assert (n.tolist(), c.tolist()) == ([2, 2], [1, 2])


def test_a_score_is_no_outcome():
    with pytest.raises(ValueError, match=r"trials has 0\.7: each must be 1 \(a success\), 0, or NaN"):
        count_trials([[1, 0.7]])


@pytest.mark.parametrize("trials", [[1, 0, 1], np.asarray([1, 0, 1]), np.zeros((2, 2, 2))])
def test_rows_are_asked_for(trials: Trials):
    with pytest.raises(ValueError, match="trials must have two dimensions"):
        count_trials(trials)


def test_no_tasks_are_no_counts():
    n, c = count_trials([])

    assert (n.tolist(), c.tolist()) == ([], [])
