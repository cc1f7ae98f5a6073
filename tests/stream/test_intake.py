"""What is read is what can be started soon."""

from eval_worker.stream.intake import Intake


def intake() -> Intake:
    return Intake(read_ahead=256, concurrency=16)


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
