"""What is remembered between events is bounded in bytes, not only in number."""

import tracemalloc
from collections.abc import Callable

import pytest

from eval_worker.evaluation.text.question import read_question
from eval_worker.models.offline.reading.stems import stem

MEGABYTE = 1024 * 1024


@pytest.mark.parametrize(("cached", "part"), [(read_question, "What then? "), (stem, "encryption")])
def test_huge_texts_are_not_kept(cached: Callable[[str], object], part: str):
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(10):
            cached(part * (MEGABYTE // len(part) + number))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert after - before < MEGABYTE
