"""What contradicts itself, and what only speaks of several cases."""

import pytest
from tests.models.offline.verdicts import judged

BOTH_HOLD = [
    "You can return shoes within 30 days. You cannot return shoes after 30 days.",
    "Plan A includes support and training. Plan B does not include support and training.",
    "The lamp works with a battery. The lamp does not work without a battery.",
    "The first test passed on Linux. The second test did not pass on Linux.",
    "Cats do not like water. Some cats like water.",
    "Members can book online. Guests cannot book online.",
    "Die Rückgabe ist innerhalb von 30 Tagen möglich. Die Rückgabe ist nach 30 Tagen nicht möglich.",
]
ONE_IS_WRONG = [
    "Your credit score of 702 was fine. Your credit score of 702 was not sufficient.",
    "The tenant remains liable for damage that guests cause. The tenant is never liable for damage that guests cause.",
    "Yes, your business class ticket gets you into the lounge. No, business class tickets do not include the lounge.",
    "I recommend that you go with PostgreSQL, since your orders are relational. You should not go with PostgreSQL.",
    "Unsupervised learning gets no labels. Unsupervised learning always gets labels.",
]


def coherence(answer: str) -> float:
    return judged("coherence", "What should I know?", answer).score


@pytest.mark.parametrize("answer", BOTH_HOLD)
def test_what_holds_in_one_case_need_not_hold_in_another(answer: str):
    assert coherence(answer) >= 0.8


@pytest.mark.parametrize("answer", ONE_IS_WRONG)
def test_what_is_said_and_denied_of_the_same_contradicts(answer: str):
    assert coherence(answer) <= 0.4


def test_a_heading_denies_nothing():
    answer = "Biased Algorithms:\nAlgorithms learn from data. However, these algorithms are not immune to being biased."

    assert coherence(answer) >= 0.8
