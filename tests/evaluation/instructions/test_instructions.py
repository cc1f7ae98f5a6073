"""Explicit instructions: those that are there are found and checked, and none is made up."""

import pytest

from eval_worker.evaluation.instructions import Check, verify_instructions


def lowest(query: str, answer: str) -> Check:
    return min(verify_instructions(query, answer), key=lambda check: check.score, default=Check(1.0, "none found"))


KEPT_AND_BROKEN = {
    "count": ("Name three fruits", "Three fruits are apples, pears and plums.", "One of the fruits is the apple."),
    "exact count": ("List exactly two rivers", "The Rhine and the Elbe.", "1. Rhine\n2. Elbe\n3. Danube"),
    "a couple": ("Give me a couple of names for a cat", "Tom and Kitty.", "1. Tom\n2. Kitty\n3. Max\n4. Leo\n5. Zoe"),
    "at least": ("Give at least three rivers", "The Rhine, the Elbe and the Oder.", "A river is the Rhine."),
    "range of items": ("Suggest 2-3 pets", "1. Cat\n2. Dog", "1. Cat\n2. Dog\n3. Fish\n4. Bird\n5. Mouse"),
    "nested list": ("List 2 pets", "1. Cat\n   - soft\n   - small\n2. Dog\n   - loud", "- Cat"),
    "French count": ("Donne 3 fruits", "Les fruits sont la pomme, la poire et la prune.", "Un fruit est la pomme."),
    "Chinese count": ("列出三个水果", "水果:苹果、梨、李子", "水果:苹果"),
    "one sentence": ("Describe rain in one sentence", "Rain is water.", "Rain is water. It falls. Rain is wet."),
    "a sentence": ("Write a sentence about rain", "Rain is wet.", "Rain is wet. It is cold. It falls. It is grey."),
    "few sentences": ("Write a few sentences on rain", "Rain is wet. It falls.", "Rain."),
    "words": ("Describe rain in at most 5 words", "Rain is water from clouds", "Rain is water that falls from it"),
    "range of words": ("Answer in 3 to 5 words: why?", "Rain is very wet", "Rain"),
    "characters": (
        "Describe rain in under 30 characters",
        "Rain is wet.",
        "Rain is water that falls from clouds above.",
    ),
    "Chinese length": ("用一句话解释雨", "雨是水。", "雨是水。它落下来。它很湿。它很冷。"),
    "German length": ("Erkläre Regen in genau 2 Sätzen.", "Regen ist Wasser. Er fällt.", "Regen ist Wasser."),
    "paragraphs": ("Write two paragraphs on rain", "Rain is wet.\n\nIt falls.", "Rain is wet and it falls."),
    "words of each": ("Name 2 pets, each in one word", "- Cat\n- Dog", "- The small cat\n- The big dog"),
    "JSON": ("Return rain and snow as JSON", '{"rain": 1, "snow": 2}', "rain is 1 and snow is 2"),
    "German JSON": ("Gib die Farben als JSON aus", '["rot"]', "rot"),
    "table": ("Compare rain and snow as a table", "| rain | snow |\n|---|---|\n| wet | cold |", "Rain is wet."),
    "bullets": ("Describe rain as a bulleted list", "- wet\n- cold", "Rain is wet and cold."),
    "numbered list": ("Describe rain as a numbered list", "1. wet\n2. cold", "Rain is wet and cold."),
    "code block": ("Put the command in a code block", "```\nls\n```", "Type ls."),
    "one word": ("What is rain? Give a one-word answer.", "Water", "Rain is water that falls from clouds."),
    "yes or no": ("Is rain wet? Answer yes or no.", "Yes", "Rain makes things wet."),
    "choice": ("Classify the review as positive, negative or neutral: Fine.", "Positive.", "They liked the food."),
    "only": ("Translate 'rain'. Do not explain.", "Regen", "Regen, because the word is German."),
    "language": ("Describe rain in French", "La pluie est de l'eau qui tombe des nuages.", "Rain is the water of it."),
    "uppercase": ("Write about rain in uppercase", "RAIN IS WET.", "Rain is wet."),
    "no commas": ("Describe rain. Use no commas.", "Rain is wet and cold.", "Rain is wet, cold and grey."),
    "no emojis": ("Say hello without emojis", "Hello!", "Hello! \N{GRINNING FACE}"),
    "opening": ('Describe rain and start with "Dear reader"', "Dear reader, rain is wet.", "Rain, dear reader."),
    "closing": ('Describe rain and end with the phrase "so it goes"', "Rain falls, so it goes.", "Rain falls."),
    "forbidden word": ("Describe rain without using the word 'wet'", "Rain is water.", "Rain is wet water."),
    "forbidden topic": ("Describe rain but do not mention clouds", "Rain is water.", "Rain is water from clouds."),
    "demanded word": ('Describe rain and include the word "umbrella"', "Take an umbrella.", "Rain is water."),
    "demanded words": ('Write a line using the words "rain" and "tea"', "Rain, then tea.", "Rain falls."),
    "alphabet": ("Sort these alphabetically: fig, date, apple", "apple, date, fig", "apple, fig, date"),
    "ascending": ("Put 3, 1 and 2 in ascending order", "1, 2, 3", "1, 3, 2"),
    "descending": ("List them in descending order: 4, 9, 7", "9, 7, 4", "4, 7, 9"),
    "formal": ("Thank them in a formal tone", "I am grateful for the help.", "Hey guys, that was awesome!!"),
    "no contractions": ("Thank them without contractions", "I am glad.", "I'm glad."),
    "examples": ("What is a pet? Give some examples.", "A pet is an animal, such as a cat.", "A pet is an animal."),
}


@pytest.mark.parametrize(("query", "kept", "broken"), KEPT_AND_BROKEN.values(), ids=KEPT_AND_BROKEN.keys())
def test_an_instruction_is_told_kept_from_broken(query: str, kept: str, broken: str):
    assert lowest(query, kept).score >= 0.9, verify_instructions(query, kept)
    assert lowest(query, broken).score <= 0.6, verify_instructions(query, broken)


NO_INSTRUCTION = [
    "Who wrote Hamlet?",
    "Explain rain to a 5 year old",
    "How do I write a function that can return JSON?",
    "Explain how to list 3 files in a folder",
    "Why do teachers want essays in one paragraph?",
    "My boss said to answer in French. What does he want?",
    "What are words that start with 'S' in Dutch?",
    "I have 3 apples. Give 2 to Bob. How many are left?",
    "Who are the three characters of the novel?",
    "Name the elements of the periodic table",
    'Summarize the text: "Write exactly 3 words in uppercase and never use commas, said the old teacher to us."',
    "Proofread this text:\nPlease list exactly 5 birds in JSON, and do not mention owls.",
    "What does this code do?\n```\n# return JSON only, in 3 lines\nprint(1)\n```",
    "Combine the two sentences. He stayed. She left.",
    "Is the sky blue or green? I don't use words like azure.",
    "Write a story with 2 characters",
]


@pytest.mark.parametrize("query", NO_INSTRUCTION)
def test_no_instruction_is_made_up(query: str):
    assert verify_instructions(query, "It rained, and the owl said no.") == ()


@pytest.mark.parametrize(
    ("query", "answer", "finding"),
    [
        (
            "List exactly 3 encryption algorithms",
            "1. AES\n2. RSA",
            "asked for exactly 3 encryption algorithms, the answer has 2",
        ),
        ("Explain it in one sentence", "It rains. It pours.", "asked for exactly 1 sentence, the answer has 2"),
        ("Answer in fewer than 4 words", "It rains", "asked for at most 3 words, the answer has 2"),
        ("Write between 2 and 4 sentences", "It rains.", "asked for 2 to 4 sentences, the answer has 1"),
        ("Use the word 'tea'. Say it.", "Tea", "asked to include 'tea', and the answer does so"),
    ],
)
def test_a_finding_says_what_was_asked_and_what_there_is(query: str, answer: str, finding: str):
    assert [check.finding for check in verify_instructions(query, answer)] == [finding]


def test_one_more_than_asked_for_is_a_minor_fault_and_one_more_than_exactly_asked_for_is_not():
    answer = "1. AES\n2. RSA\n3. DES\n4. Blowfish"

    assert lowest("Give me 3 ciphers", answer).score == 0.8
    assert lowest("Give me exactly 3 ciphers", answer).score < 0.3


def test_the_things_of_a_text_that_is_no_list_are_not_counted():
    prose = "Cats sleep a lot, play and hunt. Dogs like walks. Fish swim, glow and eat. Birds sing. Mice hide and run."

    assert verify_instructions("Suggest 2 pets", prose) == ()


def test_an_instruction_at_the_end_of_a_long_query_is_found_and_those_of_its_text_are_not():
    document = "The old rule was to list exactly 9 birds in uppercase and to mention no owls. " * 60

    checks = verify_instructions(f"{document}\n\nSummarize this in one sentence.", "It rains. It pours.")

    assert [check.finding for check in checks] == ["asked for exactly 1 sentence, the answer has 2"]


@pytest.mark.parametrize(
    "text", ["list 3 " * 50_000, "1. " * 100_000, '"' * 200_000, "in one " * 50_000, "- a\n" * 80_000]
)
def test_a_megabyte_of_nearly_instructions_is_read_in_linear_time(text: str):
    verify_instructions(text, "It rains.")
    verify_instructions("List 3 rivers in alphabetical order, in one sentence, as JSON, with no commas.", text)
