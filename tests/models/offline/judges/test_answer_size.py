"""How much an answer to a request may have to say."""

import pytest

from eval_worker.evaluation.instructions.request import read_request
from eval_worker.evaluation.text.question import read_question
from eval_worker.models.offline.judges.answer_size import expected_words


def expected(query: str) -> float:
    return expected_words(read_request(query), read_question(query).asks)


SMALL_AND_LARGE = [
    ("Is rain wet? Answer yes or no.", "Is rain wet?"),
    ("Who wrote Emma?", "Explain how rain forms."),
    ("Think of a slogan for a bakery.", "Write a story on a bakery."),
    ("Explain briefly how rain forms.", "Explain how rain forms."),
    ("Name 2 rivers", "Name 20 rivers"),
    ("Describe rain in at most 10 words.", "Describe rain in at most 200 words."),
    ("Rewrite this text: It rains.", f"Rewrite this text: {'It rains and it pours. ' * 20}"),
]


@pytest.mark.parametrize(("small", "large"), SMALL_AND_LARGE)
def test_a_small_request_calls_for_less_than_a_large_one(small: str, large: str):
    assert expected(small) < expected(large)
