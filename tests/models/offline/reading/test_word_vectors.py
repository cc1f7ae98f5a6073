"""What words are about, by the company that they keep."""

import pytest

from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.word_vectors import (
    DIMENSIONS,
    STEMS,
    STEMS_ELSEWHERE,
    VECTORS,
    VECTORS_ELSEWHERE,
    Subject,
    subject_of,
)


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


@pytest.mark.parametrize(
    ("text", "kin", "stranger"),
    [
        ("berenjenas queso arroz ensalada", "vegetable", "mortgage"),
        ("cuisine fromage légumes boulangerie", "bread", "parliament"),
        ("Wohnungen Zimmer Küche Häuser", "kitchen", "virus"),
        ("卧室 休息 睡眠", "sleep", "mortgage"),
        ("ресторан ужин сыр", "dinner", "parliament"),
    ],
)
def test_words_of_other_languages_keep_the_company_of_what_they_mean(text: str, kin: str, stranger: str):
    elsewhere = about(text.lower())

    assert elsewhere.kinship(about(kin)) > 0.35
    assert elsewhere.kinship(about(stranger)) < 0.15


def test_an_english_text_is_read_by_english_words_alone():
    assert about("yeast dough oven brot") == about("yeast dough oven")


def test_each_stem_of_another_language_has_a_row():
    stems = STEMS_ELSEWHERE.read_text(encoding="utf-8").split()

    assert len(stems) == len(set(stems)) == VECTORS_ELSEWHERE.stat().st_size / DIMENSIONS
