"""Where a sentence begins though the one before it was left without its full stop."""

import pytest
from tests.models.offline.verdicts import judged

from eval_worker.evaluation.judges.definition import BUILT_IN_JUDGES
from eval_worker.models.offline.cores.run_ons import with_stops


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("he plays a pilot This covers it all.", "he plays a pilot\nThis covers it all."),
        ("i think it rains there Thank you for asking!", "i think it rains there\nThank you for asking!"),
        ("they sleep in the barn all day Cats dream a lot.", "they sleep in the barn all day\nCats dream a lot."),
        ("Shirt, 10 dollars Rating: 5/5 However, it was late.", "Shirt, 10 dollars Rating: 5/5\nHowever, it was late."),
        ("It rains. ==========", "It rains.\n"),
        ("It rains in Bergen Как сказано выше, это так.", "It rains in Bergen\nКак сказано выше, это так."),
        ("```\nIt rains.", "\nIt rains."),
    ],
)
def test_a_line_break_tells_them_apart(answer: str, read: str):
    assert with_stops(answer) == read


@pytest.mark.parametrize(
    "answer",
    [
        "The capital of France is Paris.",
        "I saw The Lord of the Rings with Ann.",
        "we met in Paris",
        "Vitamin D is made in the skin.",
        "a) The first b) The Second",
        "| Items | Price |\n| Shirt | 10 |",
        "```\nx = 1\n```",
        "Tokyo (東京) is the capital.",
    ],
)
def test_names_and_tables_stay_whole(answer: str):
    assert with_stops(answer) == answer


@pytest.mark.parametrize("judge", BUILT_IN_JUDGES)
@pytest.mark.parametrize(
    "filler",
    ["This covers it all.", "There is no more to say.", "Please take it as it is.", "==========", "| | |", "```"],
)
@pytest.mark.parametrize("answer", ["they use a compass", "i guess it is the sun that they follow", "yes! they do"])
def test_what_runs_on_behind_an_answer_earns_nothing(judge: str, filler: str, answer: str):
    query, context = "How do storks find their way?", "Storks follow the sun by day and the stars by night."
    plain = judged(judge, query, answer, context).score

    assert judged(judge, query, f"{answer} {filler}", context).score <= plain
