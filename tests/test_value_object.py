"""Value objects: what a frozen slotted dataclass gives, but for its price."""

from dataclasses import replace

import pytest

from eval_worker.value_object import value_object


@value_object
class Point:
    x: int
    y: int = 0


def test_a_value_object_is_compared_and_hashed_by_its_values():
    assert Point(1) == Point(1, 0) != Point(2)
    assert len({Point(1), Point(1), Point(2)}) == 2


def test_a_value_object_is_changed_by_making_another():
    assert replace(Point(1), y=2) == Point(1, 2)


def test_a_value_object_has_the_fields_that_it_names_and_no_others():
    with pytest.raises(AttributeError):
        setattr(Point(1), "z", 3)  # noqa: B010 (the type checker would not let it be assigned)
