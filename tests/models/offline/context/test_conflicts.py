"""What a context speaks against, and what only looks so."""

import pytest
from tests.models.offline.verdicts import confidence_in, judged

from eval_worker.evaluation.interaction import Interaction
from eval_worker.models.offline.analysis import Analysis

JAPAN = "Japan is an island country in East Asia. Its capital is Tokyo."
BOIL = "At sea level, water boils at 100 degrees Celsius."


def conflicts(query: str, answer: str, context: str) -> list[str | None]:
    return [one.conflict for one in Analysis(Interaction(query, answer, context)).contradictions]


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        ("What is the capital of Japan?", "The capital of Japan is the beautiful old city of Kyoto.", JAPAN),
        ("What is the capital of Japan?", "As far as I know, the capital of Japan is the city of Osaka.", JAPAN),
        ("How many moons does Mars have?", "The planet Mars is orbited by five moons.", "Mars has two moons."),
        ("How many moons does Mars have?", "Five", "Mars has two moons."),
        ("When did the siege end?", "The siege ended in 1946.", "The siege ended in 1945 after six years."),
        ("At what temperature does water boil?", "Water boils at 90 degrees Celsius at sea level.", BOIL),
        ("Is the watch waterproof?", "The watch is not waterproof, so keep it dry.", "The watch is waterproof."),
        ("Is the office open on Sundays?", "Yes, the office is open on Sundays.", "The office is closed on Sundays."),
        ("Wie viele Türen hat das Haus?", "Das Haus hat fünf Türen.", "Das Haus hat zwei Türen."),
    ],
)
def test_what_is_false_of_the_same_thing_is_a_contradiction(query: str, answer: str, context: str):
    assert conflicts(query, answer, context)
    assert confidence_in(query, answer, context) < 0.55


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        (
            "What was the budget?",
            "The film had a budget of 15 million dollars.",
            "The film had a budget of $ 15,000,000.",
        ),
        ("How many people came?", "About 1.5 million people came.", "Some 1,500,000 people came."),
        ("How do I order?", "You order in 3 steps: choose a plan and pay.", "To order, choose one of 2 plans and pay."),
        ("How often does the bus run?", "The bus runs hourly and the trip takes 40 minutes.", "The bus costs 2 euros."),
        ("What is the sum of the cubes?", "The sum of k^3 from 1 to n.", "The sum of the series is 1, 2, 4 and 128."),
        ("When was it built?", "It was built in 1998 by 12 workers.", "It was built in 1998 and has 40 rooms."),
    ],
)
def test_another_number_of_another_thing_is_no_contradiction(query: str, answer: str, context: str):
    assert conflicts(query, answer, context) == []


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        ("How was it?", "I have no idea. Button menus are called hamburgers.", "Button menus are called hamburgers."),
        (
            "So it is old?",
            "No, it is the mill that grinds barley into flour.",
            "It is the mill that grinds barley into flour.",
        ),
        ("Tell me of the tree.", "I did not know that! Oaks shed acorns in autumn.", "Oaks shed acorns in autumn."),
        ("Is smoking allowed?", "No, smoking is not allowed in the office.", "Smoking is forbidden in the office."),
        (
            "How does the attack work?",
            "The attack carries the ball down the field.",
            "The attack carries the ball down the field, while the defence is the side without the ball.",
        ),
    ],
)
def test_a_denial_of_something_else_is_no_contradiction(query: str, answer: str, context: str):
    assert conflicts(query, answer, context) == []


def test_an_opposite_in_a_neighbouring_sentence_is_no_contradiction():
    context = "This page is more than 4 years old. The band played in New Haven on its tour in May."
    assert conflicts("Tell me about the tour.", "The band played a new song in New Haven in May.", context) == []


def test_an_explanation_is_not_undone_by_one_of_its_sentences():
    answer = (
        "Bees gather nectar from flowers. They carry the nectar to the hive. There 5 workers chew the nectar. "
        "The water in it evaporates, and the honey is sealed with wax."
    )
    context = "Bees gather nectar. In the hive 7 workers chew the nectar. The honey is sealed with wax."
    assert conflicts("Explain how bees make honey.", answer, context)
    assert judged("completeness", "Explain how bees make honey.", answer, context).score > 0.5
    assert judged("relevance", "Explain how bees make honey.", answer, context).score > 0.5


@pytest.mark.parametrize("answer", ["Half of them", "None", "Once", "A few"])
def test_an_amount_in_other_words_than_the_context_has_is_no_contradiction(answer: str):
    assert conflicts("How many of the 20 students passed?", answer, "Of the 20 students, 10 passed the test.") == []


def test_a_verb_that_begins_an_order_is_no_name():
    assert not conflicts("No me llega el correo.", "Mira en la carpeta de spam.", "Revise la carpeta de spam.")
    assert not conflicts("The screen is blank.", "Inspect the fuse of the boiler.", "Revise the fuse of the boiler.")
