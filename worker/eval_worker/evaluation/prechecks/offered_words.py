"""Words that a query itself puts up as answers: in quotes, after "reply with", or as an item of what it lists."""

import re

from eval_worker.evaluation.text.question_words import OR_WORDS
from eval_worker.evaluation.text.words import fold

_LONGEST = 60
_EDGES = " \t\r\n\"'`“”‘’«»„「」『』()[]<>*.,:;!?。！？、"
_ORDERS = (
    r"(?:print|say|saying|repeat|repeat after me|reply|respond|answer|write|output|type|return|state|call it|"
    r"di|responde|escribe|dis|réponds|écris|sag|sage|antworte|schreibe?|rispondi|scrivi|responda|diga|escreva|"
    r"ответь|ответьте|скажи|скажите|напиши|напишите|"
    r"antwoord|zeg|svara|skriv|odpowiedz|napisz|cevapla|yaz|قل|أجب|اكتب|कहो|लिखो)"
)
_BETWEEN = (
    r"(?:\s{1,3}(?:out|back|with|only|just|exactly|either|simply|the|word|words|by|saying|as|it|me|in|con|solo|la|palabra|"
    r"par|avec|mit|nur|das|wort|com|словом|только))*"
)
_WITH = (
    r"(?:with|by saying|mit|con|avec|com|met|med|словом)"
    r"(?:\s{1,3}(?:only|just|the|a|single|one|simply|word|dem|wort|la|palabra|le|seul|mot))*"
)
_OPENING, _CLOSING = '"`“”«»„「『(\\[<*', '"`“”«»“」』)\\]>*'
_ITEMS = re.compile(
    r"[,;/|\n:、，；：]|\s-\s|(?<=\w)\s+(?:"
    + "|".join(sorted(re.escape(word) for word in OR_WORDS))
    + r"|and|und|et|y)\s+"
)
_PARTS = re.compile(r"(?<=[.?!])\s+|\n\s*\n")
_MARKER = re.compile(r"^\s*(?:[-*•]|\(?(?:\d{1,3}|[a-z])[.)])\s+")
_FEWEST_ITEMS = 3
_CHOICE = re.compile(r"\b(?:either|between|options?|choices?|as one of|one of)\b")


def is_quoted_or_ordered(answer: str, query: str) -> bool:
    """Whether the query has the answer in quotes, or says to answer with it. That makes an answer even of "okay"."""
    wanted = fold(answer).strip(_EDGES)
    if not wanted or len(wanted) > _LONGEST or wanted not in query:
        return False
    word = re.escape(wanted)
    return any(
        re.search(pattern, query)
        for pattern in (
            rf"[{_OPENING}]\s?{word}\s?[.!?,]?\s?[{_CLOSING}]",
            rf"(?<!\w)'\s?{word}\s?[.!?,]?\s?'(?!\w)",
            rf"(?<!\w)(?:{_ORDERS}{_BETWEEN}|{_WITH})\s{{0,3}}[:,]?\s{{1,3}}{word}(?!\w)",
        )
    )


def is_listed(answer: str, query: str) -> bool:
    """Whether the answer is one item of a list of three or more, or of a choice, in the query's prose or its lines."""
    wanted = fold(answer).strip(_EDGES)
    if not wanted or len(wanted) > _LONGEST or wanted not in query:
        return False
    return any(wanted in part and _is_item(wanted, part) for part in _PARTS.split(query))


def _is_item(wanted: str, part: str) -> bool:
    items = [_MARKER.sub("", item).strip(_EDGES) for item in _ITEMS.split(part)]
    items = [item for item in items if item]
    if len(items) < _FEWEST_ITEMS and not (len(items) > 1 and _CHOICE.search(part)):
        return False
    if wanted in items:
        return True
    return items[0].endswith(f" {wanted}") or items[-1].startswith(f"{wanted} ")
