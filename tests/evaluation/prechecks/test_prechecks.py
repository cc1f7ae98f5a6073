"""What the three free checks say of an answer, and which answers are worth a judge."""

import itertools
import time

import pytest

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks import run_prechecks
from eval_worker.evaluation.stage import Stage, StageStatus

CAPITAL = "What is the capital of France?"
FRANCE = "France is a country in Western Europe. Its capital city is Paris."
RELATIVITY = "Explain the theory of relativity in detail"
EARLY_EXIT = 0.2


def checked(query: str, answer: str, context: str = "") -> dict[str, Stage]:
    ticks = itertools.count()
    stages = run_prechecks(Interaction(query, answer, context), lambda: next(ticks))
    return {stage.name: stage for stage in stages}


def scores(query: str, answer: str, context: str = "") -> list[float | None]:
    return [stage.score for stage in checked(query, answer, context).values()]


def is_judged(query: str, answer: str, context: str = "") -> bool:
    applicable = [score for score in scores(query, answer, context) if score is not None]
    return sum(applicable) / len(applicable) >= EARLY_EXIT


def test_the_stages_come_in_the_order_of_the_wire_with_the_time_they_took():
    stages = checked(CAPITAL, "The capital of France is Paris.")
    assert list(stages) == ["length-checker", "overlap-checker", "format-checker"]
    assert [stage.duration_ns for stage in stages.values()] == [1, 1, 1]


def test_a_plain_good_answer_scores_full_marks():
    assert scores(CAPITAL, "The capital of France is Paris.", FRANCE) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("length", "score"),
    [(19, 0.0), (20, 1.0), (400, 1.0), (401, 0.5)],
    ids=["below half", "half", "ten times", "above ten times"],
)
def test_length_is_scored_by_the_ratio_of_characters(length: int, score: float):
    query = "explain relativity " + "x" * 21
    assert len(query) == 40
    answer = " ".join(f"z{number}" for number in range(200))[: length - 1] + "z"
    assert checked(query, answer)["length-checker"].score == score


def test_characters_are_code_points_not_bytes():
    assert checked("法国的首都是哪里", "法国的首都是巴黎")["length-checker"].reason == (
        "answer is 8 characters to the query's 8"
    )


def test_a_reason_carries_the_numbers():
    stages = checked(RELATIVITY, "ok")
    assert stages["length-checker"].reason == "answer is 2 characters to the query's 42: too short"
    assert stages["overlap-checker"].reason == (
        "answer shares 0 of the query's 4 keywords; missing: detail, explain, relativity, theory"
    )
    assert stages["format-checker"].reason == "answer has 1 word, fewer than 2"


def test_overlap_is_the_share_of_the_querys_keywords():
    assert checked("compare cats dogs and horses", "Cats sleep; horses run.")["overlap-checker"].score == 0.5


def test_a_possessive_is_the_word_itself():
    assert checked("What is the circle's area?", "A circle has an area.")["overlap-checker"].score == 1.0


def test_a_query_without_keywords_has_no_overlap_to_score():
    stage = checked("What is it?", "It is a bird.")["overlap-checker"]
    assert stage.score is None
    assert stage.status is StageStatus.NOT_APPLICABLE


@pytest.mark.parametrize("answer", ["Really now!!! It is so.", "It is ... well, Paris", "Paris?!. of course"])
def test_repeated_punctuation_halves_the_format(answer: str):
    assert checked(CAPITAL, answer)["format-checker"].score == 0.5


def test_hindi_and_thai_words_are_not_cut_at_their_vowel_signs():
    assert checked("भारत की राजधानी क्या है?", "दिल्ली")["format-checker"].reason.startswith("answer has 1 word")
    assert checked("भारत की राजधानी क्या है?", "भारत की राजधानी दिल्ली है")["overlap-checker"].score == 1.0


JUDGED = [
    (CAPITAL, "Paris.", FRANCE),
    (CAPITAL, "Paris.", ""),
    ("capital of France", "Paris", ""),
    ("Is Paris the capital of France?", "Yes.", ""),
    ("Is it done?", "👍", ""),
    ("What is 2 + 2?", "4", ""),
    ("What is 3 - 8?", "-5", ""),
    ("How much does it cost per month?", "$5.00", ""),
    ("How far is the station from here?", "3 km", ""),
    ("What is the ratio of a circle's circumference to its diameter?", "π", ""),
    ("When did men first land on the moon?", "1969", ""),
    ("How many planets are there in the solar system?", "Eight", ""),
    ("Do you want red or blue?", "Blue.", ""),
    ("Translate 'good morning' to French", "Bonjour", ""),
    ("How do I get the length of a list in Python?", "`len(x)`", ""),
    ("Name two encryption algorithms, please", "AES, RSA", ""),
    ("Explain quantum chromodynamics to me", "I don't know.", ""),
    ("法国的首都是哪里", "巴黎", ""),
    ("法国的首都是哪里", "法国的首都是巴黎。", ""),
    ("巴黎是法国的首都吗", "是", ""),
    ("巴黎是德国的首都吗?", "不是。", ""),
    ("日本の首都はどこですか", "東京", ""),
    ("フランスの首都はどこですか", "パリ", ""),
    ("日本の首都は東京ですか", "はい", ""),
    ("프랑스의 수도는 어디입니까?", "파리", ""),
    ("프랑스의 수도는 어디입니까?", "모르겠습니다", ""),
    ("파리는 프랑스의 수도입니까?", "아니요", ""),
    ("Какой город является столицей Франции?", "Париж.", ""),
    ("Является ли Париж столицей Франции?", "Да", ""),
    ("ما هي عاصمة فرنسا؟", "باريس", ""),
    ("هل باريس عاصمة فرنسا؟", "نعم", ""),
    ("भारत की राजधानी क्या है?", "दिल्ली", ""),
    ("क्या दिल्ली भारत की राजधानी है?", "हाँ", ""),
    ("เมืองหลวงของฝรั่งเศสคืออะไร", "ปารีส", ""),
    ("Ist Paris die Hauptstadt von Frankreich?", "Ja.", ""),
    ("Est-ce que Paris est la capitale de la France ?", "Oui", ""),
    ("¿Es París la capital de Francia?", "Sí", ""),
    ("Paris é a capital da França?", "Não", ""),
]


@pytest.mark.parametrize(("query", "answer", "context"), JUDGED)
def test_a_short_answer_that_is_direct_is_worth_a_judge(query: str, answer: str, context: str):
    assert is_judged(query, answer, context)


EXITED = [
    (CAPITAL, "", ""),
    (CAPITAL, " \n\t ", ""),
    (CAPITAL, "...", ""),
    (CAPITAL, "." * 60, ""),
    (CAPITAL, "\u200b\u200b", ""),
    (CAPITAL, "ok", ""),
    (CAPITAL, "n/a", ""),
    (CAPITAL, "hm", ""),
    (CAPITAL, "Thanks", ""),
    (CAPITAL, "Yes", ""),
    (CAPITAL, "asdfghjkl", ""),
    (RELATIVITY, "ok", "Einstein developed the theory of relativity."),
    (RELATIVITY, "Sure.", ""),
    (RELATIVITY, "Yes.", ""),
    (RELATIVITY, "🎉", ""),
    ("Can you explain the theory of relativity?", "ok", ""),
    ("法国的首都是哪里", "好的", ""),
    ("相対性理論を詳しく説明してください", "はい", ""),
]


@pytest.mark.parametrize(("query", "answer", "context"), EXITED)
def test_rubbish_is_not_worth_a_judge(query: str, answer: str, context: str):
    assert not is_judged(query, answer, context)


def test_a_direct_answer_is_excused_for_being_short_and_says_why():
    stages = checked(CAPITAL, "Paris.", FRANCE)
    assert stages["length-checker"].score == stages["format-checker"].score == 1.0
    assert stages["format-checker"].reason == "answer has 1 word, but is direct: its words stand in the context"


def test_an_acknowledgement_is_not_direct_even_if_the_context_has_the_word():
    assert checked(RELATIVITY, "ok", "It is ok to explain it.")["format-checker"].score == 0.0


def test_a_direct_answer_is_not_excused_for_its_punctuation():
    assert checked(CAPITAL, "Paris!!!", FRANCE)["format-checker"].score == 0.5


@pytest.mark.parametrize(
    "text",
    [
        "word " * 200_000,
        "." * 1_000_000,
        "?" * 1_000_000,
        "a" * 1_000_000,
        "1," * 500_000,
        "中" * 350_000,
        ("\u0301" * 512 + "\u0316" * 512) * 512,
        "f(" * 500_000,
        "'" * 1_000_000,
        "\n" * 1_000_000,
    ],
    ids=["words", "dots", "questions", "one word", "digits", "han", "marks", "calls", "quotes", "lines"],
)
def test_a_megabyte_is_checked_in_bounded_time(text: str):
    started = time.process_time()
    for query, answer, context in (("short?", text, ""), (text, "ok", text), (text, text[: len(text) // 3], text)):
        assert len(scores(query, answer, context)) == 3
    assert time.process_time() - started < 6  # what is quadratic takes minutes; the room is for slow machines
