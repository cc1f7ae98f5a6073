"""Words, sentences and questions in many scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.closed_tasks import is_closed_task
from eval_worker.evaluation.text.codes import is_code
from eval_worker.evaluation.text.question import read_question, read_question_of
from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.words import Words


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I don't know.", 3),
        ("It costs $5.00", 3),
        ("n/a", 1),
        ("巴黎", 1),
        ("法国的首都是巴黎", 4),
        ("ありがとう", 1),
        ("दिल्ली", 1),
        ("ปารีส", 1),
        ("🎉🎉", 0),
        ("\u200c\u200d \u200d\u200d", 0),
        ("café – crème", 2),
    ],
)
def test_words_are_counted_in_any_script(text: str, count: int):
    assert Words(text).count == count


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe\u0301"),
        ("Paris", "Ｐａｒｉｓ"),
        ("It’s France’s flag", "It's France's flag"),
        ("ÉCOLE", "école"),
        ("ПАРИЖ", "париж"),
    ],
)
def test_spellings_of_one_word_are_one_keyword(one: str, other: str):
    assert Words(one).keywords == Words(other).keywords != set()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("'Tis 'the' \u2018one\u2019 that isn't o'clock'", ["tis", "the", "one", "that", "isn't", "o'clock"]),
        ("'", []),
        ("'' x ''", ["x"]),
        ("It costs 1,000 or 3.5, not 7.", ["it", "costs", "1,000", "or", "3.5", "not", "7"]),
        ("Items 1, 2 and 3.", ["items", "1", "2", "and", "3"]),
    ],
)
def test_quotes_around_a_word_are_no_part_of_it_and_a_decimal_point_is(text: str, words: list[str]):
    assert Words(text).sequence == words


@pytest.mark.parametrize("text", ["王's book", "上海’s harbour", "What is 日本's 桜's name?", "ไทย's"])
def test_a_possessive_behind_a_script_without_spaces_leaves_no_empty_word(text: str):
    words = Words(text)
    assert "" not in words.keywords
    assert all(words.content())


@given(st.text(alphabet="a王日本ไท's’.,5 -"))
def test_no_text_has_an_empty_word(text: str):
    words = Words(text)
    assert all((*words.sequence, *words.content(), *words.keywords))


def test_missing_keywords_are_the_same_whether_or_not_the_text_has_quotes():
    wanted = {"paris", "france", "rome"}
    assert Words("Paris, France").missing(wanted) == Words("'Paris', France's").missing(wanted) == {"rome"}


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Smith came. He left.", ["Dr. Smith came.", "He left."]),
        ("It is 3.5 m. It is wide", ["It is 3.5 m.", "It is wide"]),
        ("1. AES\n2. RSA", ["AES", "RSA"]),
        ("- one\n\n- two", ["one", "two"]),
        ("+ one\n+ two", ["one", "two"]),
        ("J.D. Salinger wrote it.", ["J.D. Salinger wrote it."]),
        ("They live in the U.S. The house is theirs.", ["They live in the U.S.", "The house is theirs."]),
        ("今天下雨。明天晴。", ["今天下雨。", "明天晴。"]),
        (" \n ... \n", []),
        ("No. The shop is closed.", ["No.", "The shop is closed."]),
        ("See No. 5 of the list.", ["See No. 5 of the list."]),
        ("Canberra is the capital; Sydney is larger.", ["Canberra is the capital;", "Sydney is larger."]),
        ("have a nice day! they left early. it rained", ["have a nice day!", "they left early.", "it rained"]),
        ("Yahoo! is older, approx. as old, etc. and so on.", ["Yahoo! is older, approx. as old, etc. and so on."]),
    ],
)
def test_sentences_and_list_items_are_told_apart(text: str, sentences: list[str]):
    assert split_sentences(text) == sentences


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("Was Einstein German?", Asks.POLAR),
        ("Was ist die Hauptstadt?", Asks.NAME),
        ("Can you ship to Canada?", Asks.POLAR),
        ("Can you explain relativity?", Asks.OPEN),
        ("Do you know when the shop opens?", Asks.DATE),
        ("How many moons has Mars?", Asks.NUMBER),
        ("How do magnets work?", Asks.OPEN),
        ("What is 2 + 2?", Asks.NUMBER),
        ("Is it red or blue?", Asks.CHOICE),
        ("Who are you?", Asks.PERSON),
        ("法国的首都是哪里", Asks.PLACE),
        ("巴黎是法国的首都吗", Asks.POLAR),
        ("日本の首都は東京ですか", Asks.POLAR),
        ("なぜ空は青いのですか", Asks.OPEN),
        ("프랑스의 수도는 어디입니까?", Asks.PLACE),
        ("क्या दिल्ली राजधानी है?", Asks.POLAR),
        ("भारत की राजधानी क्या है?", Asks.NAME),
        ("هل باريس عاصمة فرنسا؟", Asks.POLAR),
        ("Является ли Париж столицей?", Asks.POLAR),
    ],
)
def test_a_question_tells_what_it_asks_for(query: str, asks: Asks):
    assert read_question(query).asks is asks


def test_the_question_is_found_after_a_long_document():
    assert read_question("Some text. " * 5000 + "When was it written?").asks is Asks.DATE


def test_question_marks_alone_are_no_question():
    assert read_question("How many moons has Mars?\n???").asks is Asks.NUMBER


@pytest.mark.parametrize("mark", [";", "\u037e"])
def test_a_greek_question_mark_looks_like_a_semicolon(mark: str):
    assert read_question(f"Είναι η Αθήνα πρωτεύουσα της Ελλάδας{mark}").marked


def test_a_semicolon_outside_greek_is_no_question_mark():
    assert not read_question("Say yes or no;").marked


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("I came late. Who won?  Tell me!", "Who won?"),
        ("Who won?\nAnd why?\n\nThanks.", "And why?"),
        ("谁赢了？为什么？谢谢。", "为什么？"),
        ("Is 3.5?x more?\tOk", "Is 3.5?x more?"),
        ("No question here. None.", "No question here. None."),
        ("", ""),
    ],
)
def test_the_last_sentence_with_a_mark_is_the_question(query: str, sentence: str):
    assert read_question(query).text == sentence
    assert read_question_of(query, Words(query)) == read_question(query)


@pytest.mark.parametrize(
    "query",
    ["antonym of calm", "a (synonym), please", "which of these?", "what colour is it", "x ___ y", "übersetze: cat",
     "переведите слово", "请翻译", "fill in the gap", "suggest me a funny name", "only the number"],
)  # fmt: skip
def test_a_task_for_one_word_is_found_wherever_it_stands(query: str):
    assert is_closed_task(query)
    assert is_closed_task(f"first.\n{query}")


@pytest.mark.parametrize("query", ["", "xantonym", "opposites", "whichever of it", "x __ y", "xübersetze", "the nick"])
def test_a_piece_of_a_word_is_no_task(query: str):
    assert not is_closed_task(query)


@pytest.mark.parametrize("text", ["Au", "html", "Na", "K", "k", "UTF-8", "iOS", "XIV", "NaN"])
def test_a_code_is_told_by_its_case(text: str):
    assert is_code(text)


@pytest.mark.parametrize("text", ["au", "Okay", "sure", "asdf", "Éa", "a b", "", "..."])
def test_a_plain_word_is_no_code(text: str):
    assert not is_code(text)
