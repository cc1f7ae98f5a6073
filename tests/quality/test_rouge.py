"""ROUGE, checked by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_worker.quality.rouge import longest_common_subsequence, rouge_l, rouge_n, rouge_words

ANSWER, REFERENCE = (rouge_words(text) for text in ("The cat sat on the mat.", "The cat lay on a mat!"))


def test_the_figures_of_a_known_pair():
    assert rouge_n(ANSWER, REFERENCE, 1) == pytest.approx(2 * 4 / 12)  # the, cat, on, mat
    assert rouge_n(ANSWER, REFERENCE, 2) == pytest.approx(2 * 1 / 10)  # the cat
    assert rouge_l(ANSWER, REFERENCE) == pytest.approx(2 * 4 / 12)


def test_a_word_counts_as_often_as_it_stands_in_both():
    assert rouge_n(["a"] * 4, ["a", "b"], 1) == pytest.approx(2 * 1 / 6)


@pytest.mark.parametrize("texts", [("", "a b"), ("a b", ""), ("", ""), ("a", "b")])
def test_nothing_shared_is_0(texts: tuple[str, str]):
    answer, reference = map(rouge_words, texts)
    assert rouge_n(answer, reference, 1) == rouge_n(answer, reference, 2) == rouge_l(answer, reference) == 0.0


def test_words_are_lower_cased_and_chinese_is_cut_into_characters():
    assert rouge_words("The Cat, 东京塔!") == ["the", "cat", "东", "京", "塔"]


@settings(max_examples=40)
@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_the_longest_common_subsequence_is_the_textbooks(first: str, second: str):
    lengths = [0] * (len(second) + 1)
    for one in first:
        diagonal = 0
        for place, other in enumerate(second, 1):
            diagonal, lengths[place] = (
                lengths[place],
                diagonal + 1 if one == other else max(lengths[place], lengths[place - 1]),
            )
    assert longest_common_subsequence(first, second) == lengths[-1]
