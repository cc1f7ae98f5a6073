"""Queries that put up options line by line, and answers that pick one."""

import pytest

from eval_worker.evaluation.text.multiple_choice import is_pick, options_of

FRUIT = "Which of these is a fruit?\nA. Carrot\nB. Apple\nC. Potato"
OPPOSITE = "Choose the word that means the opposite of hot.\n\n(a) warm\n(b) cold"
PLANET = "Welcher Planet ist der größte?\n1) Mars\n2) Jupiter\n3) Venus"


@pytest.mark.parametrize(
    ("query", "options"),
    [
        (FRUIT, {"a": "carrot", "b": "apple", "c": "potato"}),
        (OPPOSITE, {"a": "warm", "b": "cold"}),
        (PLANET, {"1": "mars", "2": "jupiter", "3": "venus"}),
    ],
)
def test_options_stand_behind_letters_or_numbers_in_a_row(query: str, options: dict[str, str]):
    assert options_of(query) == options


@pytest.mark.parametrize(
    "query",
    [
        "What is the capital of France?",
        "Translate these lines:\nA. Carrot\nB. Apple",
        "Which of these is a fruit?\nA. Carrot",
        "Which of these is a fruit?\nB. Carrot\nC. Apple",
        "Which plan is best?\nA. Walk\nA. Run\nB. Swim",
        f"Which text is right?\nA. {'long ' * 60}\nB. short",
    ],
)
def test_other_queries_put_up_none(query: str):
    assert options_of(query) == {}


@pytest.mark.parametrize(
    "answer",
    [
        "B",
        "b.",
        "(B)",
        "B. Apple",
        "B) apple.",
        "Apple",
        "The answer is B.",
        "The correct answer is (B) Apple.",
        "Option B",
    ],
)
def test_an_answer_picks_an_option_by_its_mark_its_text_or_both(answer: str):
    assert is_pick(answer, options_of(FRUIT))


@pytest.mark.parametrize(
    "answer",
    ["", "D", "B. Potato", "Banana", "B and C", "A good one is hard to find", "B because apples grow on trees"],
)
def test_anything_else_is_no_pick(answer: str):
    assert not is_pick(answer, options_of(FRUIT))


def test_where_nothing_is_put_up_nothing_is_picked():
    assert not is_pick("B", options_of("Who wrote Hamlet?"))
