"""An answer in a script that neither the query nor the context is written in, where nobody asked for a translation."""

import re
from collections import Counter

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.english import is_english
from eval_worker.evaluation.text.question_words import TRANSLATION_MARKS, TRANSLATION_WORDS
from eval_worker.evaluation.text.words import fold

# Han and kana count as one: a Japanese answer may be in either, and so may a Chinese name.
_SCRIPTS = {
    "Latin": "a-zà-öø-ÿā-ɏḀ-ỿ",
    "Cyrillic": "\u0400-\u052f",
    "Greek": "\u0370-\u03ff\u1f00-\u1fff",
    "Arabic": "\u0600-\u06ff\u0750-\u077f",
    "Hebrew": "\u0590-\u05ff",
    "Devanagari": "\u0900-\u097f",
    "Thai": "\u0e00-\u0e7f",
    "Hangul": "\u1100-\u11ff\uac00-\ud7af",
    "Chinese or Japanese": "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff",
}
_LETTERS = re.compile("|".join(f"([{letters}]+)" for letters in _SCRIPTS.values()), re.IGNORECASE)
_NAMES = tuple(_SCRIPTS)
_SCANNED, _GLANCE = 2000, 48
_CLEAR, _TRACE = 0.9, 0.02
# Letters of a text that is more than a name or a term; an ideograph says more than a letter.
_FEWEST_LETTERS = {"Chinese or Japanese": 12, "Hangul": 16}
_FEWEST_OF_OTHERS = 48
_SHORTEST = min(_FEWEST_LETTERS.values())
_FEWEST_OF_QUERY = 4
_LANGUAGE = re.compile(
    r"\b(?:in|into|to|from|auf|en|in het|på|на|по|w) ?(?:[a-z]+ )?(?:english|spanish|french|german|italian|portuguese|"
    r"russian|ukrainian|chinese|mandarin|cantonese|japanese|korean|arabic|hebrew|hindi|thai|greek|cyrillic|latin|kanji|"
    r"hiragana|katakana|hangul|devanagari|script|alphabet|language|characters|letters)\b|"
    r"\b(?:english|chinese|japanese|korean|russian|arabic|hindi|greek|hebrew|thai|mandarin|kanji|haiku|language|anglais|"
    r"englisch|inglés|inglese|inglês|английск\w*|англійськ\w*|русск\w*|αγγλικά)\b|"
    r"英语|英語|英文|中文|汉语|日语|日本語|韩语|俄语|语言|言語|ローマ字|拼音|영어|한국어|중국어|일본어|영문|الإنجليزية|بالعربية|अंग्रेज़ी|"
    r"अंग्रेजी|हिंदी|อังกฤษ|אנגלית"
)


def why_foreign_script(words: WordsOfInteraction) -> str | None:
    if words.answer.narrow and words.query.narrow:
        return None
    interaction = words.interaction
    if len(interaction.answer) < _SHORTEST or _begin_alike(interaction.user_query, interaction.answer):
        return None
    asked = _script_of(interaction.user_query, _FEWEST_OF_QUERY)
    answered = _script_of(interaction.answer, _FEWEST_OF_OTHERS)
    if asked is None or answered is None or asked == answered:
        return None
    if not _is_certain(words, asked, answered):
        return None
    return f"is written in another script ({answered}) than the query ({asked})"


def _begin_alike(query: str, answer: str) -> bool:
    """The usual case, told by a glance: both begin with a word of one script, or are mostly of one at their start."""
    first, other = _LETTERS.search(query, 0, _GLANCE), _LETTERS.search(answer, 0, _GLANCE)
    if first is None or other is None:
        return False
    if first.lastindex == other.lastindex:
        return True
    return _most(_count_letters(query[:_GLANCE])) == _most(_count_letters(answer[:_GLANCE]))


def _most(counts: Counter[str]) -> str:
    return max(counts, key=lambda name: (counts[name], name))


def _script_of(text: str, fewest: int) -> str | None:
    """The script of almost all letters of a text; None where they are few or mixed."""
    counts = _count_letters(text)
    if not counts:
        return None
    name = _most(counts)
    count = counts[name]
    if count < min(fewest, _FEWEST_LETTERS.get(name, fewest)) or count < _CLEAR * sum(counts.values()):
        return None
    return name


def _count_letters(text: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for match in _LETTERS.finditer(text, 0, _SCANNED):
        counts[_NAMES[(match.lastindex or 1) - 1]] += match.end() - match.start()
    return counts


def _is_certain(words: WordsOfInteraction, asked: str, answered: str) -> bool:
    query = fold(words.interaction.user_query)
    for script, text in ((asked, words.query), (answered, words.answer)):
        # Of other languages it is not certain: Hindi is often spelled in Latin letters, and answered in its own.
        if script == "Latin" and not is_english(text.sequence):
            return False
    if _LANGUAGE.search(query) or not TRANSLATION_WORDS.isdisjoint(words.query.sequence):
        return False
    if any(mark in query for mark in TRANSLATION_MARKS):
        return False
    known = _count_letters(words.interaction.context) + _count_letters(words.interaction.user_query)
    return known[answered] <= _TRACE * sum(known.values())
