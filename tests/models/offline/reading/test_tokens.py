"""Tokenised text and plain text come out as the same tokens."""

import pytest

from eval_worker.models.offline.reading.statement import Reader, read_statement
from eval_worker.models.offline.reading.tokens import cut_tokenised, key_of, tokens_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The crew didn't land", "the crew did n't land"),
        ("It's a two-seat car", "it 's a two - seat car"),
        ("The station (ISS) is old", "the station -lrb- iss -rrb- is old"),
        ("He said “no more”", "he said `` no more ''"),
        ("Published 2019-03-05", "published 2019 march 5"),
        ("On Mar 5th 2019", "on march 5 2019"),
    ],
)
def test_two_ways_to_write_a_sentence_have_the_same_tokens(one: str, other: str):
    assert tokens_of(read_statement(one)) == tokens_of(read_statement(other))


@pytest.mark.parametrize(("one", "other"), [("films", "movie"), ("founded", "founding"), ("three", "3")])
def test_forms_and_synonyms_of_a_word_have_one_key(one: str, other: str):
    assert key_of(one) == key_of(other)


def test_tokenised_text_in_lower_case_is_cut_where_a_blank_stands_before_the_full_stop():
    pieces = cut_tokenised(read_statement("owls are quiet . do you like them ? i do ."), Reader())

    assert [one.text for one in pieces] == ["owls are quiet .", "do you like them ?", "i do ."]


def test_plain_text_is_not_cut_again():
    sentence = read_statement("The U.S. team won 3.5 points in St. Louis.")

    assert cut_tokenised(sentence, Reader()) == [sentence]
