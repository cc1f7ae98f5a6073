"""Relevance by rules."""

import pytest
from tests.models.offline.verdicts import judged


def relevance(query: str, answer: str, context: str = "") -> float:
    return judged("relevance", query, answer, context).score


def test_a_definition_of_what_was_asked_is_highly_relevant():
    answer = "AI refers to artificial intelligence, which is technology that mimics human cognition."
    assert relevance("What is AI?", answer, "AI stands for Artificial Intelligence.") >= 0.85


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        ("Who painted the Mona Lisa?", "Leonardo da Vinci", "The Mona Lisa was painted by Leonardo da Vinci."),
        ("How many legs does a spider have?", "8", "A spider has eight legs."),
        ("Is water wet?", "Yes.", "Water is wet."),
    ],
)
def test_a_direct_answer_is_highly_relevant(query: str, answer: str, context: str):
    assert relevance(query, answer, context) >= 0.9


def test_an_answer_about_something_else_is_not_relevant():
    assert relevance("How does a heat pump work?", "Penguins huddle in winter.") <= 0.2


def test_a_sentence_off_the_topic_costs_something():
    query, context = "How do vaccines work?", "Vaccines train the immune system to know a virus."
    good = "Vaccines train the immune system."
    assert relevance(query, f"{good} My cousin collects stamps.", context) < relevance(query, good, context)


def test_an_answer_without_the_number_that_was_asked_for_is_less_relevant():
    query = "How many bones does the human body have?"
    assert relevance(query, "The human body has bones.") < relevance(query, "The human body has 206 bones.")


@pytest.mark.parametrize("answer", ["", "...", "hm", "thanks", "xkcd qwrt zzzz", "\u200b"])
def test_an_answer_without_content_is_worth_nothing(answer: str):
    assert relevance("How does a heat pump work?", answer) == 0.0


def test_a_refusal_is_less_wrong_where_the_context_is_silent_too():
    query = "How tall is the tower?"
    silent = relevance(query, "I don't know.", "Our shop sells shoes.")
    assert relevance(query, "I don't know.", "The tower is 120 metres tall.") < silent <= 0.5
