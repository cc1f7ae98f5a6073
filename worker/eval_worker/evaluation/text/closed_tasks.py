"""Tasks that one word can do, however long their description: an antonym, a class, a blank, "only the number"."""

import re
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

_ONE = r"(?:me )?(?:an?|one)"
_NAMED = (
    r"(?:me )?(?:an?|one|the) (?:\w+ )?"
    r"(?:name|title|word|username|password|slogan|hashtag|domain|nickname|noun|verb|adjective|adverb|number|example)"
)
# Regexes, each from the start of a word to the end of one, between "; " or the ends of a line.
_TASKS = rf"""
antonym; synonym; opposite; rhymes?; plural; singular; past tense; participle; infinitive; superlative; prefix; suffix
abbreviat\w*; acronym; anagram; palindrome; one[- ]word; a single[- ]word; single[- ]word; 1[- ]word; in a word
a word (?:for|that|which|meaning|with); fill in; blanks?; missing (?:word|letter|number)
spell\w*; misspell\w*; unscramble; rearrange; classif\w+; categori[sz]\w*; categor(?:y|ies); label\w*; sentiment
part of speech; parts of speech; multiple[- ]choice; choose; pick; select; identify; determine; detect; guess
odd one out; true or false; yes or no; translat\w*; correct (?:the )?(?:spelling|word|form|answer|option|verb)
capitali[sz]e; uppercase; lowercase; (?:fix|correct) (?:the|this|my|a) (?:typo|misspelling); reverse; sort; pluralize
next (?:word|number|letter|term); complete (?:the|this|following); convert; simplify; calculate; compute; solve
divide; multiply; subtract; add; emojis?
only (?:the|a|one|with|yes|by); just (?:the|a|one|with|yes|by)
with (?:only|just|one|a single); using (?:only|just|one|a single)
suggest {_ONE}; recommend {_ONE}; make up {_ONE}; think of {_ONE}; come up with {_ONE}
suggest {_NAMED}; give {_NAMED}; think of {_NAMED}; come up with {_NAMED}; create {_NAMED}; generate {_NAMED}
invent {_NAMED}; find {_NAMED}; recommend {_NAMED}
rate; score; grade; genre; emotion; tone of; mood; what (?:word|letter|number|type|kind|colou?r); which (?:word|of|one)

sinónimo; antónimo; sinonimo; antonimo; contrari[oa]; synonym\w*; antonym\w*; gegenteil; contraire; opuesto; contrário
una (?:sola )?palabra; un (?:seul )?mot; einem wort; ein wort; una (?:sola )?parola; uma (?:só )?palavra; één woord
clasifica\w*; classifi\w*; klassifizier\w*; classific\w*; classeer; traduce; traduci\w*; traduis\w*
übersetz\w*; traduz\w*; vertaal; översätt; przetłumacz; rellena; complet[ae]\w*; ergänz\w*; lücke
vervollständig\w*; elige; choisis\w*; wähle; scegli; escolha; kies; одним словом; синоним\w*; антоним\w*
противоположн\w*; переведи\w*; классифиц\w*; выбери\w*; вставь\w*; один\w* слов\w*; tek kelime; zıt anlam\w*
eş anlam\w*; çevir; sınıflandır; từ trái nghĩa; từ đồng nghĩa; dịch; chọn; مرادف; عكس; ترجم; صنف; كلمة واحدة
اختر; विलोम; पर्यायवाची; समानार्थी; अनुवाद; एक शब्द; चुनिए; चुनें; वर्गीकृत; מילה אחת; נרדפת; תרגם; סווג
"""
_UNSPACED = re.compile(
    r"反义词|反義詞|同义词|同義詞|近义词|翻译|翻譯|分类|分類|填空|选择|選擇|一个词|一個詞|一个字|判断|選んで|選びなさい|一言で|一語|"
    r"反対語|対義語|類義語|同義語|訳し|穴埋め|반의어|반대말|동의어|유의어|번역|분류|고르|한 단어|빈칸|คำตรงข้าม|คำพ้อง|"
    r"แปล|จำแนก|เลือก|เติมคำ"
)
_BLANK = "___"


def _at_word_start(tasks: Iterable[str], flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Grouped by the first letter, since a word has only one: else each of them is tried at each word.

    It is led by what stands before a word, which is soon found, and so wants a text that begins with a line break.
    """
    groups = ("|".join(group) for _, group in groupby(sorted(tasks), key=itemgetter(0)))
    return re.compile(rf"\W(?:{'|'.join(f'(?:{group})' for group in groups)})\b", flags)


_ALL_TASKS = re.split(r"; |\n+", _TASKS.strip())
_TASK = _at_word_start(_ALL_TASKS)
_TASK_IN_ASCII = _at_word_start((task for task in _ALL_TASKS if task[0].isascii()), re.ASCII)
_ASKS_FOR_SIGNS = re.compile(
    r"\b(?:ascii|dots|dashes|asterisks|hyphens|morse|draw an?|"
    r"(?:draw|print|make|type|write) (?:me )?an? (?:row|line|border|pattern) of|"
    r"punctuation|symbols)\b|"
    r"\bemojis?\b|\bemoticons?\b|表情符号|表情|絵文字|이모지|эмодзи|смайл|إيموجي|इमोजी|อีโมจิ|אימוג"
)


def is_closed_task(folded_query: str) -> bool:
    if _BLANK in folded_query:
        return True
    if folded_query.isascii():
        return _TASK_IN_ASCII.search(f"\n{folded_query}") is not None
    return _TASK.search(f"\n{folded_query}") is not None or _UNSPACED.search(folded_query) is not None


def asks_for_signs(folded_query: str) -> bool:
    """Whether an answer without a word or number may do: emoji, a row of stars, Morse code."""
    return _ASKS_FOR_SIGNS.search(folded_query) is not None
