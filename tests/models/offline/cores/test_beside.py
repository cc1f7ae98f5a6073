"""What says nothing of any matter, and so is no part of an answer that it stands beside."""

import pytest

from eval_worker.models.offline.cores.beside import said_beside
from eval_worker.models.offline.reading.statement import Reader

NO_STEMS = frozenset[str]()


def beside(answer: str, asked: frozenset[str] = NO_STEMS, known: frozenset[str] = NO_STEMS) -> list[str]:
    sentences = Reader().read(answer)
    return [sentences[place].text for place in sorted(said_beside(sentences, asked, known))]


@pytest.mark.parametrize(
    "remark",
    [
        "(see section 2)",
        "See paragraph 3 of the context for details.",
        "According to the text provided.",
        "Taken from the passage.",
        "No information outside the given passage was used.",
        "This is not legal, medical or financial advice.",
        "No errors",
        "Nothing is missing from the above",
        "Thank you for asking!",
    ],
)
def test_a_remark_on_the_text_is_no_part_of_it(remark: str):
    assert beside(f"Bees collect nectar.\n{remark}") == [remark]


@pytest.mark.parametrize(
    "said",
    [
        "Do the Right Thing",
        "I know of no errors",
        "Is there any proof?",
        "The text speaks of bees.",
        "Faithful",
        "The result is 54.",
    ],
)
def test_what_names_asks_or_speaks_of_something_is_one(said: str):
    assert beside(f"Bees collect nectar.\n{said}") == []


def test_a_refusal_is_an_answer():
    assert beside("No information is given in the text.") == []


def test_what_was_asked_for_is_an_answer():
    asked = Reader().read_sentence("In which chapter do the bees swarm?").stems

    assert beside("Chapter 18", frozenset(asked)) == []


def test_words_of_praise_go_where_several_stand_in_a_row():
    assert beside("- accurate\n- complete\n- bees") == ["accurate", "complete"]


def test_a_few_words_between_two_that_please_go_with_them():
    assert beside("No errors\nFirm handshake\nWell written") == ["No errors", "Firm handshake", "Well written"]
    assert beside("No errors\nBees\nWell written", known=frozenset({"bee"})) == ["No errors", "Well written"]
