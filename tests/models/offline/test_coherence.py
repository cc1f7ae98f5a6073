"""Coherence by rules."""

import pytest
from tests.models.offline.verdicts import judged


def coherence(answer: str, query: str = "How does encryption work?", context: str = "") -> float:
    return judged("coherence", query, answer, context).score


def test_a_plain_explanation_is_coherent():
    assert coherence("Encryption scrambles data with a key. The key turns it back into readable data.") >= 0.9


@pytest.mark.parametrize(
    ("answer", "query", "context"),
    [
        (
            "Encryption scrambles data. But also, pizza is delicious. The algorithm ensures security.",
            "How does encryption work?",
            "Encryption uses mathematical algorithms to scramble data.",
        ),
        (
            "Bees collect nectar from flowers. By the way, my cat likes tuna. The nectar becomes honey.",
            "How do bees make honey?",
            "Bees collect nectar and turn it into honey.",
        ),
        (
            "A loan is repaid in monthly instalments. I love surfing. Interest is added to each instalment.",
            "How does a loan work?",
            "",
        ),
    ],
)
def test_a_sentence_from_nowhere_breaks_the_topic(answer: str, query: str, context: str):
    assert coherence(answer, query, context) <= 0.5


@pytest.mark.parametrize(
    "answer",
    [
        "The server is running. The server is not running.",
        "Prices always rise in winter. Prices always fall in winter.",
        "The box weighs 10 kg. The box weighs 25 kg.",
    ],
)
def test_sentences_that_contradict_each_other_are_incoherent(answer: str):
    assert coherence(answer, "Tell me about it") <= 0.4


def test_the_same_sentence_over_and_over_is_incoherent():
    assert coherence("The cache keeps hot keys in memory. " * 8, "What does the cache do?") <= 0.4


def test_gibberish_is_incoherent():
    assert coherence("asdf hjkl qwer zxcv bnmm") == 0.0


def test_a_list_of_names_is_not_a_topic_break():
    assert coherence("1. AES\n2. RSA\n3. Blowfish", "List 3 algorithms", "AES, RSA and Blowfish are algorithms.") >= 0.9
