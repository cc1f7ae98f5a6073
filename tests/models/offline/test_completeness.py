"""Completeness by rules."""

import pytest
from tests.models.offline.verdicts import judged


@pytest.mark.parametrize(
    ("query", "answer", "missing"),
    [
        (
            "Explain both encryption and decryption, and provide examples of each",
            "Encryption converts plaintext to ciphertext using a key.",
            "decryption",
        ),
        (
            "Explain both encryption and decryption, and provide examples",
            "Encryption converts plaintext to ciphertext using algorithms like AES-256.",
            "decryption",
        ),
        (
            "Describe photosynthesis and respiration, and give examples of each",
            "Photosynthesis turns light into sugar.",
            "respiration",
        ),
        ("What is a mortgage? How is interest calculated?", "A mortgage is a loan for a house.", "interest"),
    ],
)
def test_a_part_that_is_not_answered_costs_most_of_the_score_and_is_named(query: str, answer: str, missing: str):
    opinion = judged("completeness", query, answer)
    assert opinion.score <= 0.4
    assert missing in opinion.reason


def test_an_answer_to_every_part_is_complete():
    answer = (
        "Encryption turns plaintext into ciphertext, for example with AES. "
        "Decryption, for example with the AES key, turns it back."
    )
    query = "Explain both encryption and decryption, and provide examples of each"
    assert judged("completeness", query, answer).score >= 0.85


def test_the_one_thing_asked_for_is_complete_in_one_word():
    assert judged("completeness", "Who wrote Hamlet?", "Shakespeare", "Shakespeare wrote Hamlet.").score >= 0.9


def test_detail_that_was_asked_for_takes_more_than_a_line():
    query = "Explain the water cycle in detail"
    assert judged("completeness", query, "The water cycle moves water.").score <= 0.5


def test_declining_answers_nothing():
    assert judged("completeness", "Who wrote Hamlet?", "I don't know.").score <= 0.3
