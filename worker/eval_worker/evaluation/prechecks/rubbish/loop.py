"""The same thing over and over: a word, a phrase, a line or a character that fills most of the answer.

A language model that degenerates loops to the end (Holtzman et al., The Curious Case of Neural Text Degeneration, ICLR
2020), so whatever fills more than half of a text stands in its middle: one count of what is found there tells the
plain text from the one to look at.
"""

import re

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.codes import asks_for_code
from eval_worker.evaluation.text.words import Words, fold

_SHORTEST, _SHORTEST_LINE = 8, 4  # characters
_LONGEST_PROBE, _PROBES_IN_TEXT = 32, 8
_OFTEN = 4
# What is repeated, beyond its first time, by its share of the text and by how often.
_MOST_OF_TEXT, _HALF_OF_TEXT = 0.7, 0.5
_FEW_TIMES, _MANY_TIMES = 4, 10
_FEW_WORDS = 2
_TIMES_OF_WORDS, _TIMES_OF_OUTPUT, _TIMES_OF_CHARACTER = 5, 6, 10
_MOST_DIGITS, _MOST_EQUAL_NUMBERS = 120, 10
_ZERO = re.compile(r"0|zero|null|cero|zéro|binary|零", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|num+[eé]ro?|digit|decimal|\b(?:pi|id|pin|phone|iban|account|sequence|binary)\b|号|番|번|رقم", re.IGNORECASE
)
_FRACTION = re.compile(r"\d[.,]\d")
_PRINTS = re.compile(r"\b(?:print(?:f|ln)?|echo|puts|console|outputs?|range|loops?)\b")
_LISTS = re.compile(r"[\n,;，、；]")
_SHOWN = 30
_LONGEST_ORDER = 1000  # a pasted text has "ten times" and "songs" somewhere
_FEWEST_LINES = 6
_WORDS_OF_LABEL = 3
_NUMBERING = re.compile(r"^[ \t]*\(?\d{1,4}[.):\]]?[ \t]+", re.MULTILINE)

_TIMES = re.compile(
    r"(?:\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|"
    r"million) (?:times|copies|lines of|rows of|repetitions)\b|"
    r"\d\s*(?:mal|fois|veces|volte|vezes|раз|次|遍|回|번|ครั้ง|lần|مرات|مرة|बार|פעמים|keer|kere|defa|gånger|razy|kali)|"
    r"[一二三四五六七八九十百千](?:次|遍|回))"
)
_REPEATING = re.compile(
    r"\b(?:repeat(?:ing|ed)? (?:the|this|that|it|after|your|my|[\"'“])|over and over|again and again|"
    r"endless|mantra|chant|scream|stutter|"
    r"onomatop|wiederhol|repit|repet|répét|répèt|ripet|herhaal|powt[aó]rz|tekrar|lặp|повтор|כרר)|"
    r"重复|重複|繰り返|반복|كرر|दोहर|ซ้ำ"
)
_SONG = re.compile(
    r"\b(?:write|sing|compose|recite|create|generate|make|give|draw|print|fill) (?:me |us )?"
    r"(?:an? |the |some |this |that )?(?:[\w-]+ ){0,3}"
    r"(?:song|lyrics|chorus|refrain|chant|mantra|jingle|rhyme|laugh\w*|ascii|pattern|grid|matrix|border|beat)\b|"
    r"\b(?:lyrics (?:of|to)|how does the (?:song|chorus))\b"
)


def why_loop(words: WordsOfInteraction) -> str | None:
    text = words.interaction.answer.strip()
    length = len(text)
    if length < _SHORTEST or not words.answer.sequence:
        return None
    middle = length >> 1
    size = min(_LONGEST_PROBE, length // _PROBES_IN_TEXT)
    if text.count(text[middle : middle + size]) >= _OFTEN - 1:  # the first may have a capital
        found = _unit_of_loop(text, most=_HALF_OF_TEXT)
    elif text.count("\n") >= _FEWEST_LINES and _middle_line_recurs(text, middle):
        found = _unit_of_loop(_NUMBERING.sub("", text), most=_MOST_OF_TEXT)
    else:
        return None
    if found is None or _may_repeat(*found, words):
        return None
    unit, times = found
    return f"says the same over and over ({unit.strip()[:_SHOWN]!r}, {times} times)"


def _middle_line_recurs(text: str, middle: int) -> bool:
    """Lines that differ in their numbers alone."""
    start = text.rfind("\n", 0, middle) + 1
    line = _NUMBERING.sub("", text[start : text.find("\n", middle)])
    return len(line) >= _SHORTEST_LINE and text.count(line) >= _OFTEN


def _unit_of_loop(text: str, *, most: float) -> tuple[str, int] | None:
    """What is repeated around the middle, and how many times; None where that is no loop, or too small a part."""
    middle = len(text) >> 1
    size = min(_LONGEST_PROBE, max(1, len(text) // _PROBES_IN_TEXT))
    following = text.find(text[middle : middle + size], middle + 1)
    if following < 0:
        return None
    period = following - middle
    start, end = _extent(text, middle, period)
    times = -(-(end - start) // period)  # the last is often cut short
    share = (end - start - period) / len(text)
    if times < _FEW_TIMES or share < (most if times >= _MANY_TIMES else _MOST_OF_TEXT):
        return None
    return text[middle:following], times


def _extent(text: str, middle: int, period: int) -> tuple[int, int]:
    """From where to where the text equals itself moved on by a period: by halving, each step one comparison in C."""
    low, high = 0, middle
    while low < high:  # the furthest start
        at = (low + high) // 2
        if text[at:middle] == text[at + period : middle + period]:
            high = at
        else:
            low = at + 1
    start = low
    low, high = middle, len(text) - period
    while low < high:  # the furthest end
        at = (low + high + 1) // 2
        if text[middle:at] == text[middle + period : at + period]:
            low = at
        else:
            high = at - 1
    return start, low + period


def _may_repeat(unit: str, times: int, words: WordsOfInteraction) -> bool:
    """Whether that is not much said often: a laugh, a row of digits, one label for each of many items."""
    said = Words(unit)
    if len(said.sequence) <= _FEW_WORDS and times < _fewest_times(unit, words.interaction.user_query):
        return True
    if not any(map(str.isalpha, unit)):
        return _may_be_digits(times, words)
    if _LISTS.search(unit) and said.count <= _WORDS_OF_LABEL and times <= _items_of(words.interaction.user_query):
        return True
    return _is_asked_for(said, fold(words.interaction.user_query))


def _fewest_times(unit: str, query: str) -> int:
    if len(unit) == 1:
        return _TIMES_OF_CHARACTER
    return _TIMES_OF_OUTPUT if _LISTS.search(unit) or _PRINTS.search(query) else _TIMES_OF_WORDS


def _may_be_digits(times: int, words: WordsOfInteraction) -> bool:
    """Whether the query may want them, or it is a fraction. Zeros are the commonest filler."""
    query, text = words.interaction.user_query, words.interaction.answer.strip()
    question = words.question
    zero = _ZERO.search(query) is not None
    wanted = zero or question.asks is Asks.NUMBER or asks_for_code(question.words) or _NUMBER.search(query)
    if not (wanted or _FRACTION.search(text)):
        return False
    return _is_row_of_digits(text, times) and (zero or set(text) != {"0"})


def _is_row_of_digits(text: str, times: int) -> bool:
    """One long number, or a short list of equal ones."""
    return len(text) <= _MOST_DIGITS and (times < _MOST_EQUAL_NUMBERS or not any(map(str.isspace, text)))


def _items_of(query: str) -> int:
    """How many things a query may list."""
    return 1 + max(query.count("\n"), query.count(","), query.count("?"))


def _is_asked_for(said: Words, query: str) -> bool:
    if len(query) > _LONGEST_ORDER:
        return False
    if _TIMES.search(query) or _SONG.search(query):
        return True
    return _REPEATING.search(query) is not None and set(said.sequence) <= set(Words(query).sequence)
