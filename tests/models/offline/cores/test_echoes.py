"""The query quoted in an answer has every word that was asked about, and is worth nothing."""

import pytest
from tests.models.offline.verdicts import judged

from eval_worker.evaluation.judges.definition import BUILT_IN_JUDGES
from eval_worker.models.offline.cores.echoes import without_echoes

NORWAY = "What did the old king of Norway eat?"
KINGS = "The old king of Norway ate herring with his guests. He had it smoked."


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (f"You asked: {NORWAY} Fish.", "Fish."),
        (f'Regarding your question "{NORWAY}", this is right. Fish.', "this is right. Fish."),
        (f"Fish. {NORWAY}", "Fish."),
        (f"Q: {NORWAY} A: Fish", "Fish"),
        (f"{NORWAY} {NORWAY} Fish.", "Fish."),
        ("What did the OLD king\n of Norway eat? Fish.", "Fish."),
        (f"Fish.\n\n> {NORWAY}", "Fish."),
        (f"they ate fish {NORWAY}", "they ate fish"),
        (f"smoked fish You asked: {NORWAY}", "smoked fish"),
    ],
)
def test_the_query_is_cut_with_what_leads_up_to_it(answer: str, left: str):
    assert without_echoes(NORWAY, answer) == left


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (NORWAY, "The old king of Norway ate fish."),
        (NORWAY, NORWAY),  # nothing else is said: that is another judge's matter
        ("capital of France", "The capital of France is Paris."),
        ("average height for a male", "The average height for a male is 69 inches."),
        ("first example of sound design?", 'The first example of sound design is "The Out of Towners".'),
        ("AI?", "AI? Artificial intelligence."),
        (NORWAY, f'The page that you gave me says nothing on "{NORWAY}" in any of its parts.'),
    ],
)
def test_what_takes_up_the_words_of_the_query_is_left(query: str, answer: str):
    assert without_echoes(query, answer) == answer


@pytest.mark.parametrize("judge", BUILT_IN_JUDGES)
@pytest.mark.parametrize(
    "form", ["{0} {1}", "{0}\n{1}", '{0} So much for "{1}".', "Q: {1} A: {0}", "{1} {1} {0}", "In reply to '{1}': {0}"]
)
@pytest.mark.parametrize("answer", ["I have not seen that film.", "Herring.", "He had pancakes", "It was smoked."])
def test_no_judge_scores_an_answer_higher_for_the_query_in_it(judge: str, form: str, answer: str):
    plain = judged(judge, NORWAY, answer, KINGS).score

    assert judged(judge, NORWAY, form.format(answer, NORWAY), KINGS).score <= plain


def test_who_asks_for_the_question_to_be_repeated_may_have_it():
    query = "Repeat the question word for word, then answer it: which fish did the king eat?"

    assert judged("relevance", query, f"{query} Herring.", KINGS).score > 0.5
