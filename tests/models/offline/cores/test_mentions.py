"""A sentence that only names what is asked about earns an answer nothing."""

import pytest
from tests.models.offline.cores.test_injection import scores

from eval_worker.evaluation.interaction import Interaction
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.cores.mentions import mentions_in
from eval_worker.models.offline.cores.ties import Matter, stems_of, stems_of_all, topic_of
from eval_worker.models.offline.model import OfflineModel
from eval_worker.models.offline.reading.statement import Reader

TIDES = "Why are there tides in the sea?"
MOON = "Tides come from the gravity of the moon, which pulls at the water of the sea."
NONE = ""


def is_mention(text: str, query: str = TIDES, context: str = NONE, beside: str = NONE) -> bool:
    reader = Reader()
    asked, given = reader.read(query), reader.read(context)
    statements = [reader.read_sentence(text), *reader.read(beside)]
    return 0 in mentions_in(statements, Matter(topic_of(asked), stems_of(given)), stems_of_all(asked))


@pytest.mark.parametrize("context", [NONE, MOON])
@pytest.mark.parametrize(
    "text",
    [
        "Many people wonder about the tides of the sea these days.",
        "As we all know, tides play a significant role in modern life.",
        "This response covers the tides thoroughly and leaves no question open.",
        "Tides, sea.",
        "Yes, tides!",
        "It is true that the tides are a fascinating subject.",
    ],
)
def test_a_sentence_that_fits_any_text_only_mentions_the_matter(text: str, context: str):
    assert is_mention(text, context=context)


@pytest.mark.parametrize(
    "text",
    [
        "The moon makes the tides.",
        "Tides rise twice a day by 3 metres.",
        "They make the sea rise.",
        "I don't know why there are tides in the sea.",
        "For example, the tides carry people out to sea.",
        "Tides of the sea:",
        "Tides: the sea",
        "Yes, there are tides in the sea at home.",
    ],
)
def test_a_sentence_that_tells_something_is_more_than_a_mention(text: str):
    assert not is_mention(text)


def test_beside_a_context_a_sentence_may_only_mention_the_matter_in_words_that_stand_nowhere():
    text = "It goes without saying that tides deserve every sailor's applause."

    assert is_mention(text, context=MOON)
    assert not is_mention(text)


@pytest.mark.parametrize(
    "text",
    [
        "Scholars and clerks alike have been known to gossip about tides over biscuits.",
        "Let us stroll by the tides, as a clerk strolls past biscuits and umbrellas.",
        "Of the sea thou speakest, and verily of the sea shall be spoken.",
        "Dreaming of tides?",
    ],
)
def test_a_sentence_that_is_about_something_else_or_says_nothing_twice_only_mentions_it(text: str):
    assert is_mention(text, beside="The moon and the sun pull at the water with their gravity, twice a day.")


@pytest.mark.parametrize(
    "text",
    [
        "Gravity lifts the sea toward the moon as the planet spins.",
        "Tides make life easy for the herons, which wade for crabs and snails.",
        "Does the moon's gravity cause the tides of the sea?",
        "Low tides leave trumpets, kettles and umbrellas on 3 beaches.",
        "Note: tides carry umbrellas, kettles and trumpets along.",
    ],
)
def test_a_sentence_that_is_akin_to_the_others_or_counts_something_is_more(text: str):
    others = "The moon and the planet pull at each other. Herons hunt crabs and snails along the shore."
    assert not is_mention(text, beside=others)


def test_a_mention_is_no_part_of_the_core_beside_what_tells_something():
    cores = Analysis(Interaction(TIDES, f"{MOON}\nMany people wonder about the tides these days.", MOON)).cores

    assert [core.interaction.answer for core in cores] == [MOON]


def test_alone_a_mention_is_the_answer():
    whole = Analysis(Interaction(TIDES, "Tides are a fascinating subject.", MOON))

    assert whole.cores == []


@pytest.mark.parametrize("mention", ["Tides are a fascinating subject.", "Sea, tides."])
@pytest.mark.parametrize("answer", ["Bananas are rich in potassium.", "Tides are nice.", "See you soon."])
def test_a_mention_ties_no_answer_to_its_query(answer: str, mention: str):
    model = OfflineModel()
    plain = scores(model, Interaction(TIDES, answer))
    padded = [scores(model, Interaction(TIDES, text)) for text in (f"{answer}\n{mention}", f"{mention}\n{answer}")]
    model.close()

    assert all(one[judge] <= plain[judge] for one in padded for judge in plain)
