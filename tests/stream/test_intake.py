"""What is read is what can be started soon."""

from eval_worker.stream.intake import PACE_SECONDS, Intake


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def intake(clock: Clock | None = None) -> Intake:
    return Intake(read_ahead=256, concurrency=16, clock=clock or Clock())


def judging(a_second: int) -> Intake:
    """Return one that saw so many events a second come and be judged."""
    clock = Clock()
    reader = intake(clock)
    reader.observe(read=int(a_second * PACE_SECONDS), to_judge=int(a_second * PACE_SECONDS))
    clock.now += PACE_SECONDS
    reader.room(held=0, unjudged=0)
    return reader


def test_at_first_no_more_is_read_than_the_judges_can_take_up_soon():
    assert intake().room(held=0, unjudged=0) == 32


def test_where_all_exit_early_it_soon_reads_as_much_as_is_allowed():
    reader = intake()
    for _ in range(3):
        reader.observe(read=reader.room(held=0, unjudged=0), to_judge=0)

    assert reader.room(held=0, unjudged=0) == 256


def test_where_half_exit_early_it_reads_twice_what_can_be_started():
    reader = intake()
    for _ in range(8):
        reader.observe(read=64, to_judge=32)

    assert reader.room(held=10, unjudged=10) == 44


def test_nothing_is_read_while_as_many_wait_as_are_judged_at_once():
    assert intake().room(held=16, unjudged=16) == 0


def test_no_more_is_ever_held_than_read_ahead():
    reader = intake()
    for _ in range(3):
        reader.observe(read=256, to_judge=0)

    assert reader.room(held=250, unjudged=0) == 6
    assert reader.room(held=300, unjudged=0) == 0


def test_a_read_that_found_nothing_teaches_nothing():
    reader = intake()
    reader.observe(read=0, to_judge=0)

    assert reader.room(held=0, unjudged=0) == 32


def test_a_model_that_takes_its_time_changes_nothing_about_how_much_is_read():
    assert judging(a_second=130).room(held=0, unjudged=0) == 32


def test_where_the_model_answers_at_once_it_reads_what_is_judged_in_a_twentieth_of_a_second():
    assert judging(a_second=2000).room(held=0, unjudged=0) == 100
    assert judging(a_second=2000).room(held=40, unjudged=40) == 60
    assert judging(a_second=2000).room(held=50, unjudged=50) == 0


def test_a_model_that_becomes_slow_is_read_ahead_for_no_further():
    clock = Clock()
    reader = intake(clock)
    reader.observe(read=200, to_judge=200)
    clock.now += PACE_SECONDS
    assert reader.room(held=0, unjudged=0) == 100

    reader.observe(read=100, to_judge=100)
    clock.now += 1
    assert reader.room(held=100, unjudged=100) == 0
    assert reader.room(held=10, unjudged=10) == 22
