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


ONE_OVER = [
    ("Give me 3 examples of encryption algorithms", "Examples are AES, RSA, ChaCha20, and Blowfish."),
    ("Name two planets", "1. Venus\n2. Mars\n3. Saturn"),
    ("Suggest four names for a cat", "- Tom\n- Kitty\n- Max\n- Leo\n- Zoe"),
    ("Give me a couple of uses for vinegar", "Uses for vinegar: cleaning, cooking, and pickling."),
    ("Nenne drei Flüsse", "Drei Flüsse sind Rhein, Elbe, Oder und Donau."),
    ("Cite 2 fruits", "Les fruits sont la pomme, la poire et la prune."),
    ("列出三个水果", "水果:苹果、梨、李子、桃"),
]


@pytest.mark.parametrize(("query", "answer"), ONE_OVER)
def test_one_over_an_inexact_count_is_a_minor_fault_in_any_topic_layout_and_language(query: str, answer: str):
    assert 0.7 < instruction(query, answer) < 0.9


EXACTLY_MISSED = [
    ("List exactly 3 encryption algorithms", "1. AES\n2. RSA"),
    ("Name exactly four planets", "Venus, Mars and Saturn."),
    ("Give me exactly five colours, please", "- red\n- green\n- blue\n- black"),
    ("Nenne genau drei Flüsse", "Rhein und Elbe."),
    ("Nombra exactamente 3 frutas", "1. pera\n2. uva"),
]


@pytest.mark.parametrize(("query", "answer"), EXACTLY_MISSED)
def test_an_exact_count_is_missed_in_any_topic_layout_and_language(query: str, answer: str):
    assert instruction(query, answer) <= 0.4


ESSAY = (
    "Water is a fascinating liquid. Under normal pressure water boils at 100 degrees Celsius. Scientists have studied "
    "liquids for centuries. Mountains are high, and pressure falls there. Kettles were made of copper once. Tea needs "
    "a kettle, and kettles need a stove. Stoves burn wood, gas or coal, or run on electricity. Every kitchen has one."
)


def test_an_essay_to_a_short_question_costs_more_than_the_answer_alone():
    query = "At what temperature does water boil?"
    assert instruction(query, ESSAY) < instruction(query, "Water boils at 100 degrees Celsius.") - 0.02


def test_an_answer_to_a_neighbouring_request_is_told_from_one_to_the_request():
    query = "Suggest a method for learning the names of birds"
    neighbour = (
        "A method for drawing trees is to begin with the trunk. The trunk of a tree carries branches, and branches "
        "carry leaves. Draw the trunk, then the branches, then the leaves of the tree."
    )
    assert instruction(query, neighbour) < instruction(query, "Learn the names of three birds a day with cards.") - 0.05


def test_material_that_nobody_gave_is_asked_for_and_not_made_up():
    query = "Can you expand on each of these points?"
    made_up = "The first point is that sleep matters. " + "It restores the body and the mind of people. " * 12
    assert instruction(query, made_up) < instruction(query, "Please send me the points to expand on.")


def test_courtesies_before_the_answer_earn_nothing():
    query, answer = "Describe how rain forms", "Rain forms when the water of clouds condenses and falls."
    assert instruction(query, f"Sure! Here is a description for you.\n{answer}") <= instruction(query, answer)


def test_a_query_repeated_whole_before_the_answer_earns_nothing():
    query = "Name the big cities of Italy. Say what each is known for."
    answer = "Rome is old. Milan is known for fashion."
    assert instruction(query, f"{query}\n{answer}") <= instruction(query, answer)


@pytest.mark.parametrize(
    ("query", "answer"), [("Is rain wet?", "Yes."), ("What is 2 + 2?", "4"), ("Who wrote Emma?", "Jane Austen")]
)
def test_a_short_answer_that_is_all_that_was_asked_for_keeps_its_score(query: str, answer: str):
    assert instruction(query, answer) >= 0.9


def test_an_answer_that_says_too_much_loses_less_than_one_that_breaks_an_instruction():
    assert instruction("At what temperature does water boil?", ESSAY) > 0.7
    assert instruction("Name exactly three rivers of Europe.", "The Rhine and the Danube.") < 0.5


def test_a_turn_of_a_conversation_gives_no_order_that_a_reply_could_miss():
    talk = "Conversation so far:\nUser: I just came back from Norway.\nAssistant: How were the fjords?"
    turn = "They were lovely. Do you like boats?"
    short = judged("instruction", turn, "I do, above all old ferries.", talk).score
    long = judged("instruction", turn, "I do! My uncle had a trawler, and we painted its hull each spring.", talk).score
    assert short == long >= 0.9


def test_a_list_of_things_to_be_named_takes_up_the_request_though_it_says_no_word_of_it():
    answer = "1. Minestrone with white beans and kale\n2. Goulash with paprika and sour cream\n3. Borscht\n4. Chowder"
    assert instruction("Make a list of hearty dishes for cold days.", answer) >= 0.85


def test_coming_back_to_what_the_context_speaks_of_is_no_other_matter():
    query, context = "How do bees live?", "Bees keep their larvae in cells. Larvae are fed by nurse bees."
    answer = "Bees keep their larvae in cells. They feed the larvae. Nurse bees guard the larvae."
    assert judged("instruction", query, answer, context).score > judged("instruction", query, answer).score


def test_what_was_to_be_made_up_loses_less_for_naming_nothing_of_the_request_than_an_explanation_does():
    text = "Dear Ms Roth, we were glad to meet you, and regret that the post goes to another applicant."
    assert instruction("Write a polite rejection note.", text) > instruction("Explain polite rejections.", text) + 0.1


STORY = (
    "Mara left the village before dawn.\nFog lay over the meadows.\nAn owl called twice, and she walked faster.\n"
    "At the old mill she found the letter.\nShe read it, laughed, and turned back."
)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Generate a 5-sentence story about a person walking through a forest.", STORY),
        ("Tell me a story in five sentences about a person in a forest.", STORY),
        (
            "Schreibe eine Geschichte in drei Sätzen über einen Wald.",
            "Jonas ging früh los. Nebel lag auf den Wiesen. Am Bach fand er den Brief.",
        ),
        (
            "Imagine you are a guest speaker. Write one sentence that introduces you.",
            "My name is ____ and I teach ____.",
        ),
    ],
)
def test_every_sentence_of_what_was_made_up_counts_though_few_of_them_name_the_request(query: str, text: str):
    assert instruction(query, text) > 0.65


def test_who_explains_at_length_and_does_not_know_one_thing_declines_nothing():
    query = "Can a planet have life but lack what is needed for space flight?"
    answer = (
        "A planet with life but without fuel for space flight is plausible. Telescopes need glass and patience, and "
        "both come long before flight does. Without coal or oil the planet would have charcoal and water power, "
        "which is enough for telescopes but hardly for space. I am not sure how they would refine light metals. "
        "A heavy planet would make flight harder still, since what it takes to leave grows faster than any fuel."
    )

    assert instruction(query, answer) > 0.8
    assert instruction(query, "I am not sure how to answer that. I can't help with questions on planets.") < 0.5
