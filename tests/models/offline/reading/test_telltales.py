"""A sentence is not searched by a pattern that could find nothing in it, and never by mistake."""

import pytest

from eval_worker.evaluation.text.short_answers import is_refusal
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.judges.topic_breaks import is_personal
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.statement import read_statement
from eval_worker.models.offline.reading.telltales import may_have, plain_words
from eval_worker.models.offline.reading.vocabulary import PERSONAL

ON_ONESELF = (
    "I really love it", "My cat, 3.5 kilos", "It was quite delicious,2 said 1.5 of them", "That is so cool",
    "J'aime ça", "j'adore l'eau", "Ich mag es", "meine Katze", "mon ami", "ma mère", "me encantan", "mi gato",
    "eu adoro isso", "amo isso", "mi piace", "il mio cane", "ik hou van kaas", "mijn hond", "jag gillar det",
    "kocham to", "lubię to", "seviyorum", "bayılırım", "я люблю это", "Das ist lecker", "c'est délicieux",
    "elles sont bonnes", "son ricos", "es deliciosa",
    "sono deliziosi", "è buona", "is buono", "is heerlijk", "är gott", "jest pyszne",
    "lezzetli", "enak", "好吃", "我喜欢", "おいしい", "맛있어요", "อร่อย", "لذيذ", "मुझे यह पसंद है", "טעים",
    "'I like it'", "(my dog)", "This is amazing!", "It “is lovely”",
)  # fmt: skip


@pytest.mark.parametrize("text", ON_ONESELF)
def test_what_people_say_of_themselves_is_found(text: str):
    assert PERSONAL.search(text)
    assert is_personal(read_statement(text))


@pytest.mark.parametrize("text", ["The harbour was built in 1823.", "It is like a bridge, 3.5 metres wide."])
def test_a_plain_sentence_without_a_telltale_is_done_with(text: str):
    assert not may_have(plain_words(read_statement(text)), frozenset({"love", "cat"}))


@pytest.mark.parametrize("text", ["Café love", "Вот cat", "爱"])
def test_what_is_no_plain_text_may_have_anything(text: str):
    assert may_have(plain_words(read_statement(text)), frozenset({"dog"}))


@pytest.mark.parametrize("joined", ["j'aime", "j’aime", "great,5 of 3.5", "x.love 3.5"])
def test_words_are_told_apart_where_a_pattern_tells_them_apart(joined: str):
    words = plain_words(read_statement(joined))

    assert may_have(words, frozenset({"aime", "great", "love"}))


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.", "We do not know", "I'm not sure", "I cannot answer that", "Can't answer", "unable to help",
        "There is no information", "It is not mentioned in the text", "The text doesn't say", "It does not specify",
        "I cannot assist", "No lo sé", "je ne sais pas", "Das weiß ich nicht", "non lo so", "não sei", "не знаю",
        "nie wiem", "bilmiyorum", "لا أعرف", "मुझे नहीं पता", "모르겠습니다", "不知道", "わかりません", "ไม่ทราบ",
        "tidak tahu",
    ],
)  # fmt: skip
def test_a_refusal_is_found_in_any_language(text: str):
    assert is_refusal(fold(text))


@pytest.mark.parametrize(
    "line",
    ["`x`", "x = {", "}", "x1;", "call(x1)", "x1 == x2", "x1 != x2", "x1 += 1", "p->q", "x1 => x2", "std::sort",
     "x1 && x2", "x1 || x2", "</div>", "import numpy", "$ reboot"],
)  # fmt: skip
def test_a_line_of_code_is_known_by_any_of_its_signs(line: str):
    assert is_line_of_code(line)


@pytest.mark.parametrize("line", ["Owls (and bats) are quiet: they glide.", "It is quiet; they sleep."])
def test_brackets_and_colons_of_prose_are_no_signs_of_code(line: str):
    assert not is_line_of_code(line)
