"""What is remembered between events is bounded in bytes, not only in number."""

import tracemalloc
from collections.abc import Callable

import pytest

from eval_worker.evaluation.text.question import read_question
from eval_worker.evaluation.text.word_cache import WordCache
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


def test_so_many_words_are_kept_and_no_more():
    cache = WordCache(len)

    lengths = [cache[f"{number:06}"] for number in range(50_000)]

    assert set(lengths) == {6}
    assert len(cache) < 20_000


def test_a_word_is_looked_into_once():
    asked: list[str] = []
    cache = WordCache(lambda word: asked.append(word) or word.upper())

    assert [cache["owl"], cache["owl"]] == ["OWL", "OWL"]
    assert asked == ["owl"]
