"""What words are about, by the company that they keep."""

import pytest

from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.word_vectors import DIMENSIONS, STEMS, VECTORS, Subject, subject_of


def about(words: str) -> Subject:
    return subject_of(map(stem, words.split()))


@pytest.mark.parametrize(
    ("word", "kin", "stranger"),
    [("yeast", "dough", "parking"), ("guitar", "violin", "mortgage"), ("vaccine", "virus", "carpet")],
)
def test_words_that_keep_the_same_company_are_kin(word: str, kin: str, stranger: str):
    assert about(word).kinship(about(kin)) > 0.35
    assert about(word).kinship(about(stranger)) < 0.1


def test_what_is_not_known_is_kin_to_nothing():
    unknown = about("qwrtzpl")

    assert unknown.known == 0
    assert unknown.kinship(about("yeast")) == 0.0


def test_a_text_without_a_part_of_it_is_about_the_rest():
    assert about("guitar violin mortgage").without(about("mortgage")) == about("guitar violin")


def test_a_word_counts_once_however_often_it_is_said():
    assert about("yeast yeast dough") == about("dough yeast")


def test_each_stem_has_a_row():
    stems = STEMS.read_text(encoding="ascii").split()

    assert len(stems) == len(set(stems)) == VECTORS.stat().st_size / DIMENSIONS
