"""Answers that are no answers exit, whatever their length; what only looks like one is left to the judges."""

import itertools
import time

import pytest
from tests.evaluation.prechecks.good_answers import GOOD
from tests.evaluation.prechecks.rubbish_answers import RUBBISH

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks import run_prechecks
from eval_worker.evaluation.prechecks.direct_answer import DirectAnswer
from eval_worker.evaluation.prechecks.rubbish import why_rubbish
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.stage import Stage

EARLY_EXIT = 0.2


def stages_of(query: str, answer: str, context: str = "") -> tuple[Stage, ...]:
    ticks = itertools.count()
    return run_prechecks(Interaction(query, answer, context), lambda: next(ticks))


def why_found(query: str, answer: str) -> str | None:
    words = WordsOfInteraction(Interaction(query, answer))
    return why_rubbish(words, DirectAnswer(words))


def exits(query: str, answer: str, context: str = "") -> bool:
    scores = [stage.score for stage in stages_of(query, answer, context) if stage.score is not None]
    return sum(scores) / len(scores) < EARLY_EXIT


@pytest.mark.parametrize(("query", "answer"), RUBBISH)
def test_rubbish_exits(query: str, answer: str):
    assert exits(query, answer)


@pytest.mark.parametrize(("query", "answer"), GOOD)
def test_an_answer_that_may_be_good_is_judged(query: str, answer: str):
    assert not exits(query, answer)


@pytest.mark.parametrize(
    ("answer", "announces"), [("Answer.", True), ("response", True), ("Sure", False), ("Here", False)]
)
def test_few_single_words_announce_an_answer(answer: str, announces: bool):
    assert (why_found("Why is the sky blue?", answer) is not None) is announces


def test_each_check_gives_its_own_reason_for_rubbish():
    reasons = [
        stage.reason
        for stage in stages_of("What is the capital of France?", "You asked: what is the capital of France?")
    ]
    assert len(set(reasons)) == 3


@pytest.mark.parametrize(("query", "answer"), GOOD)
def test_a_judged_answer_bears_no_mark_of_rubbish(query: str, answer: str):
    """What was found changes a score to 0 or not at all, so the three formulas stand as documented."""
    assert why_found(query, answer) is None


def test_a_finding_leaves_a_query_without_keywords_out_of_the_overlap():
    assert [stage.score for stage in stages_of("What is it?", "<noinput>")] == [0.0, None, 0.0]


def test_what_the_context_says_is_no_error_message():
    context = "When the queue is full, the gateway answers 429 Too Many Requests."
    assert exits("What comes when the queue is full?", "429 Too Many Requests")
    assert not exits("What comes when the queue is full?", "429 Too Many Requests", context)


def test_a_piece_of_the_context_is_not_cut_off():
    context = "He said that it was because the and or because clauses were never written."
    assert exits("Which clauses were meant by the author of that long note?", "it was because")
    assert not exits("Which clauses were meant by the author of that long note?", "it was because", context)


def test_an_answer_in_the_script_of_the_context_is_judged():
    query, answer = "What stands on the note at the door?", "今日は定休日です。また明日お越しください。"
    assert exits(query, answer)
    assert not exits(query, answer, "Photo of a door with a note: 今日は定休日です。また明日お越しください。")


def test_a_long_good_start_with_a_short_loop_is_judged():
    points = [f"Point {number} is about part {number} of the plan and who is to do it by when." for number in range(20)]
    assert not exits("Sum up the plan for us, point by point.", " ".join(points) + " Thank you." * 12)


_SIZE = 100_000
HOSTILE = ["sure!" * _SIZE, "sure" + "!" * _SIZE, "error" + " " * _SIZE + ":", "<title" * _SIZE, "{{" * _SIZE,
           "Ã" * _SIZE, "1. a\n" * _SIZE, "ab" * _SIZE + "ba" * _SIZE, "я" * _SIZE + "a" * _SIZE,
           "say" + " " * _SIZE, "the" + "\n" * _SIZE + "and"]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_searched_for_rubbish_in_bounded_time(text: str):
    started = time.process_time()
    for query, answer in (
        ("short?", text),
        (text, "okay"),
        (text, text),
        (text, text + " x"),
        (f"say {text}", "n/a"),
        (text[:300], text[:200]),
    ):
        stages_of(query, answer, text)
    assert time.process_time() - started < 3  # what is quadratic takes minutes; the room is for slow machines


LONG_QUERY_ABOUT_CODE = "Write a mail about our course. " + "It teaches Python and SQL. " * 12 + "What a course!"
LONG_QUERY_ABOUT_SONGS = "My boy repeats the song five times a day. " * 30 + "Any help is appreciated."


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (LONG_QUERY_ABOUT_CODE, "<noinput>"),
        ("Design a syllabus for Python.", "<noinput>"),
        ("What does this Python code print?", "<noinput> <noinput> <noinput>"),
        ("They have a row of buttons. How did you know?", "\u200b\u00a0"),
        ("Which character stands for a blank?", "\u200b"),
        (LONG_QUERY_ABOUT_SONGS, "the " * 40),
        ("Who is responsible for data protection in our company?", "No input."),
        ("Write a short product description for a shoe", "No input."),
    ],
    ids=lambda text: text[-30:],
)
def test_what_a_long_query_speaks_of_in_passing_excuses_no_rubbish(query: str, answer: str):
    assert exits(query, answer)
