"""Instructions that code can check."""

import pytest
from tests.models.offline.verdicts import judged


def instruction(query: str, answer: str) -> float:
    return judged("instruction", query, answer).score


def test_one_more_than_asked_for_is_a_minor_fault():
    query = "Give me 3 examples of encryption algorithms"
    answer = "Examples of encryption algorithms are AES, RSA, ChaCha20, and Blowfish."
    assert 0.7 < instruction(query, answer) < 0.9


def test_an_exact_count_that_is_missed_is_a_broken_instruction():
    opinion = judged("instruction", "List exactly 3 encryption algorithms", "1. AES\n2. RSA")
    assert opinion.score <= 0.4
    assert "the answer has 2" in opinion.reason


KEPT_AND_BROKEN = [
    ("Name three fruits", "Three fruits are apples, pears and plums.", "One of the fruits is the apple."),
    ("List exactly two rivers", "Two rivers: the Rhine and the Elbe.", "Rivers: the Rhine, the Elbe and the Danube."),
    ("Give at least two rivers", "Rivers are the Rhine, the Elbe and the Oder.", "A river is the Rhine."),
    ("Donne 3 fruits", "Les fruits sont la pomme, la poire et la prune.", "Un des fruits est la pomme."),
    ("列出三个水果", "水果:苹果、梨、李子", "水果:苹果、梨"),
    ("Describe rain in one sentence", "Rain is water from clouds.", "Rain is water. It falls. Rain is wet."),
    ("Describe rain in at most 5 words", "Rain is water from clouds", "Rain is the water that falls from all clouds"),
    ("Describe rain in under 30 characters", "Rain is wet.", "Rain is water that falls from the clouds above us."),
    ("Return rain and snow as JSON", '{"rain": 1, "snow": 2}', "rain is 1 and snow is 2"),
    ("Compare rain and snow as a table", "| rain | snow |\n|---|---|\n| wet | cold |", "Rain is wet and snow is cold."),
    ("Describe rain as a bulleted list", "- rain is wet\n- rain is cold", "Rain is wet and rain is cold."),
    ("Describe rain as a numbered list", "1. rain is wet\n2. rain is cold", "Rain is wet and rain is cold."),
    ("What is rain? Give a one-word answer.", "Water", "Rain is water that falls from clouds."),
    ("Is rain wet? Answer only yes or no.", "Yes", "Rain makes things wet, in most places."),
    (
        "Describe rain in French",
        "La pluie est de l'eau qui tombe des nuages.",
        "Rain is the water that falls from a cloud.",
    ),
    (
        "What is rain? Answer in German",
        "Rain ist Regen, und das ist Wasser.",
        "Rain is the water that falls from a cloud.",
    ),
    ("Write about rain in uppercase", "RAIN IS WET.", "Rain is wet."),
    ('Describe rain and start with "Dear reader"', "Dear reader, rain is wet.", "Rain is wet, dear reader."),
    ("Describe rain but do not mention clouds", "Rain is falling water.", "Rain is water from clouds."),
    ("Describe rain without using the word 'wet'", "Rain is falling water.", "Rain is wet water."),
    ('Describe rain and include the word "umbrella"', "Rain calls for an umbrella.", "Rain is falling water."),
]


@pytest.mark.parametrize(("query", "kept", "broken"), KEPT_AND_BROKEN)
def test_an_instruction_is_told_kept_from_broken(query: str, kept: str, broken: str):
    assert instruction(query, kept) >= 0.9
    assert instruction(query, broken) <= 0.4


def test_a_responsive_answer_to_a_query_without_instructions_keeps_them_all():
    opinion = judged("instruction", "Who wrote Hamlet?", "Shakespeare wrote Hamlet.")
    assert opinion.score >= 0.9
    assert "no explicit instruction was found" in opinion.reason


def test_keeping_the_form_without_answering_is_not_enough():
    assert instruction("Describe the water cycle in one sentence", "Penguins huddle in winter.") <= 0.5


def test_json_in_a_code_fence_is_nearly_json():
    assert 0.8 <= instruction("Return the colors red and blue as JSON", '```json\n["red", "blue"]\n```') < 1


def test_an_age_is_not_a_count():
    query = "Explain rain to a 5 year old"
    assert "no explicit instruction" in judged("instruction", query, "Rain is water that falls from clouds.").reason
