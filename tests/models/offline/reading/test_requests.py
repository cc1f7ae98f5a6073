"""What a query asks for, taken apart."""

import pytest

from eval_worker.models.offline.reading.requests import find_requests


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("Explain TCP, UDP and SCTP.", ["TCP", "UDP", "SCTP"]),
        ("What is a tuple? How is it built?", ["What is a tuple", "How is it built"]),
        ("1. What is a tuple? 2. What is a set?", ["What is a tuple", "What is a set"]),
        ("What are the opening hours and where is parking?", ["What are the opening hours", "where is parking"]),
        (
            "How many days of leave do I get, and can I carry them over?",
            ["How many days of leave do I get", "can I carry them over"],
        ),
        ("Was kostet das Ticket und kann ich es umtauschen?", ["Was kostet das Ticket", "kann ich es umtauschen"]),
        ("What is the difference between jam and jelly?", ["jam", "jelly"]),
        ("My phone is dead. Is there a repair shop nearby?", ["Is there a repair shop nearby"]),
        ("In Springfield, Ohio, was the mill ever rebuilt?", ["In Springfield, Ohio, was the mill ever rebuilt"]),
        ("Jam and jelly", ["Jam", "jelly"]),
        ("Who wrote Pride and Prejudice?", ["Who wrote Pride and Prejudice"]),
        ("When were Rome and Carthage founded?", ["Rome", "Carthage founded"]),
    ],
)
def test_each_thing_asked_for_is_a_request_of_its_own(query: str, parts: list[str]):
    assert [one.text for one in find_requests(query)] == parts


@pytest.mark.parametrize(
    "query",
    [
        "Translate this into French and explain nothing.",
        "List what went wrong in the report.\n\nThe pump failed. Explain why and how it was mended.",
        "I had tea and cake. It was lovely.",
        "Summarize the article.",
    ],
)
def test_a_text_to_be_made_or_to_work_on_asks_for_nothing_part_by_part(query: str):
    assert find_requests(query) == []


def test_examples_of_each_are_a_request_without_a_topic():
    topic, examples = find_requests("Explain jam, and give examples of each.")

    assert topic.stems
    assert examples.wants_examples
    assert examples.stems == ()


@pytest.mark.parametrize(
    "query", ["教えて", "教えてください。", "告诉我", "请解释一下", "설명해 주세요", "Tell me", "Explain and"]
)
def test_a_request_without_anything_that_it_is_about_is_read_as_well(query: str):
    assert all(query.startswith(one.text) for one in find_requests(query))
