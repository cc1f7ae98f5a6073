"""How many things the answer is to name, and how many it names."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from eval_worker.evaluation.instructions.amount import NUMBER, QUALIFIER, Amount, Bound, amount, check_amount
from eval_worker.evaluation.instructions.check import Check
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.stop_words import STOP_WORDS

_LISTING = (
    r"give|list|name|provide|write|suggest|tell|show|mention|state|identify|find|generate|create|recommend|propose|"
    r"offer|"
    r"share|include|pick|choose|select|brainstorm|enumerate|compose|produce|extract|come up with|think of|"
    r"i (?:need|want)|(?:i|we)(?:'d| would) like|(?:can|could|may) (?:i|we) (?:have|get)|"
    r"(?:i'm|i am) looking for|let me know|return|"
    r"there (?:should|must) be|(?:should|must) (?:have|contain|list|include)|"
    r"(?:create|make|generate|write|provide|give me|compile)(?: me)? an? (?:\w+ )?list (?:of|with|containing)|what are|"
    r"which are|"
    r"nenn[et]?|gib|gebt|(?:nennen|geben) sie|liste|zähle?|schreibe?|donne[rz]?|cite[rz]?|nomme[rz]?|énumère[rz]?|"
    r"propose[rz]?|liste[rz]|mentionne[rz]?|indique[rz]?|suggère|suggére[rz]|fournis(?:sez)?|trouve[rz]?|"
    r"proporcion[ae]|indica|indique|cita|cite|nombre|liste|mencione|enumere|dé|deme|dígame|"
    r"sugira|indique|forneça|fale|me dê|me diga|suggerisci|proponi|citami|dimmi|menziona|nenna|"
    r"dame|da|nombra|lista|menciona|enumera|di|dime|escribe|sugiere|elenca|dammi|fornisci|indica|scrivi|"
    r"darme|decirme|nombrar|enumerar|mencionar|listar|citar|dare|darmi|elencare|nominare|nomina|fammi|diga|mencione|"
    r"vertel|ذكر|"
    r"elenque|dê(?:-me)?|cita|noem|geef|назови(?:те)?|приведи(?:те)?|перечисли(?:те)?|дай(?:те)?|напиши(?:те)?|"
    r"اذكر|أعطني|اعطني|عدد|اكتب|اقترح|قدم|سم"
)
_EXPLAINING = r"describe|explain|discuss|outline|highlight"
_UNITS_OF_TEXT = r"(?:sentences?|words?|characters?|letters?|paragraphs?|lines?|bullet)\b"
_NO_ITEM = (
    r"(?!times?\b|years?\b|days?\b|hours?\b|minutes?\b|percent\b|to\b|of\b(?!\s+(?:the|these|those|them|my|your)\b)|from\b|and\b|or\b|in\b|by\b|as\b|for\b|"
    r"with\b|"
    rf"(?:short |brief |long |simple )?{_UNITS_OF_TEXT})"
)
# Without a verb it is the opening that wants so many: "Exactly three cities, please", "Two reasons for that?"
_OPENING = (
    rf"^\W*(?:please\W+)?(?=(?:exactly|precisely|genau|exakt|exactement|exactamente|esattamente|exatamente|ровно|precies|"
    rf"top|{NUMBER}\s+(?:[\w-]+\s+)?(?:examples|reasons|ways|tips|ideas|facts|synonyms|names|benefits|advantages|"
    r"beispiele|gründe|exemples|raisons|ejemplos|razones|esempi|motivi|exemplos|voorbeelden|redenen|примера|примеров))\b)"
)
_TO_WHOM = r"(?:(?:(?:for|to|with)\s+)?(?:me|us|mir|uns|moi|لي|لنا)\s+|down\s+|out\s+|up\s+)?(?:with\s+|about\s+)?"
_OF_ITEMS = re.compile(
    rf"(?:{_OPENING}|"
    rf"\b(?:(?:{_LISTING})(?:-moi|-me)?\s+{_TO_WHOM}(?:the\s+|your\s+|a list of\s+|any\s+|some\s+)?|"
    rf"(?:{_EXPLAINING})\s+))(?:top\s+|best\s+|main\s+|first\s+)?(?:(?P<qualifier>{QUALIFIER})\s+)?(?:between\s+)?"
    rf"(?P<number>{NUMBER})(?:\s*(?:-|–|to|and|or|bis|à)\s*(?P<upper>{NUMBER}))?(?:\s*\(\w+\))?\s+{_NO_ITEM}"
    r"(?P<items>(?:[^\W\d_][\w'’-]*[ \t]*){1,5})",
    re.IGNORECASE,
)
_AND_NO_MORE = re.compile(
    r"[^.?!\n]{0,60}?(?:\b(?:no more,? (?:and |but )?no (?:less|fewer)|and no more|neither more nor (?:less|fewer))\b|"
    r"\b(?:exactly|genau|exactement|exactamente|esattamente|exatamente)\W*$|بالضبط|فقط)",
    re.IGNORECASE,
)
_UNSPACED = re.compile(
    r"(?P<qualifier>只|仅|僅|恰好|正好|刚好|剛好|ちょうど|正確に|至少|最多)?(?:(?<=正好|恰好|刚好|剛好)[列举舉给給写寫说]出?)?"
    r"(?P<number>\d{1,3}|[一二两三四五六七八九十])\s*(?:个|個|种|種|条|條|项|項|つ|位|款|部|座|首|件|例|类|類)"
)
_ORDERS_OF_VERB_LAST = (
    r"\S*(?:इए|िए|ाओ|िये)|(?:करें|दें|बताएं|बताएँ|लिखें|गिनाएं|सुझाएं|दो|करो|लिखो)(?!\S)|"
    r"\S*(?:주세요|주십시오|줘|하세요|하시오|하라|해라|으세요)|"
    r"(?:listele|ver|say|yaz|söyle|sırala|belirt|öner|göster|sun)"
    r"(?:y?[iıuü]n(?:[iıuü]z)?|[ae]r mısın|ir misin)?(?=\s*(?:[.!?]|$))"
)
_VERB_LAST = re.compile(
    rf"(?:(?P<qualifier>ठीक|정확히|딱|tam olarak|tam|yalnızca|sadece|en az|en fazla)\s+)?(?<!\S)(?P<number>{NUMBER})"
    rf"(?:\s+(?!\S+\s+(?:cümle|kelime))|\s*(?:개|가지|명|곳)\S*\s+)(?:[^\s.!?।]+\s+){{0,4}}(?:{_ORDERS_OF_VERB_LAST})",
    re.IGNORECASE,
)  # Hindi, Korean and Turkish ask at the end of the sentence
_TURKISH = re.compile(r"\b(?:bana|tam|tane|iki|listele|ver|yaz)\b", re.IGNORECASE)
_ASKS_UNSPACED = re.compile(r"列|举|舉|给|給|写|寫|说|提供|推荐|推薦|告诉|告訴|挙|教え|書|あげて")
_ONE_MORE_KIND = re.compile(rf"[^.?!\n]{{0,60}}?\b(?:and|plus|und|et|y)\s+{NUMBER}\s", re.IGNORECASE)
_MORE_WANTED = re.compile(
    rf"[.;\n]\s*(?:(?:and|also|then|finally|please)\s+)+(?:{_LISTING}|{_EXPLAINING})\b", re.IGNORECASE
)  # what is listed may then be more than what was counted
_WORDS_NAMED = 3

_MARKED_LINE = re.compile(
    r"^(?P<indent>[ \t]*)(?:#{1,6}[ \t]+)?(?:\*\*)?(?:(?P<number>\(?\d{1,3}[.):、]|[a-hA-H][.)])|"
    r"(?:[-•–▪●]|\*(?!\*)))(?:\*\*)?[ \t]*"
    r"(?P<item>[^\s_].*)$",
    re.MULTILINE,
)
_INLINE_MARK = re.compile(r"(?:^|[\s:;,(])\(?(\d{1,2})[.)]\s+\S")
_ORDINAL = re.compile(
    r"(?:^|[.!?;,:]\s+|\n|\band\s+)(?:the\s+)?(first|second|third|fourth|fifth|sixth|seventh)(?:ly)?\b", re.IGNORECASE
)
_LIST_LEAD = re.compile(
    r"\b(?:are|is|include|includes|including|such as|like|namely|follows)\b:?|は[、，]|[::]", re.IGNORECASE
)
_AND = r"(?:and|or|as well as|und|oder|sowie|et|ou|y|e|и|ve|और|그리고|و)"
_SEPARATOR = re.compile(
    rf"\s*[,;、，；،]\s*(?:{_AND}\s+)?|\s+(?:{_AND}|&)\s+|\s+en\s+(?=[^\s,]+\W*$)|\s+و(?=[^\W\d_]{{3}})|和|以及"
)
_BEFORE_LAST = re.compile(rf",\s+{_AND}\s+(?=[^,;]+\Z)")  # what follows has its own "and": "…, and Pride and Prejudice"
_LONGEST_LIST = 20_000
_FEW_SENTENCES = 2
_WORDS_OF_LINE = 14


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def wanted_items(orders: str) -> Amount | None:
    """How many things the answer is to name; None where that is not said, or not for one kind of things only."""
    for match in _OF_ITEMS.finditer(orders):
        wanted = amount(match.group("qualifier"), match.group("number"), _named(match), match.group("upper"))
        if wanted.number > 1 and not is_reported(orders, match.start()):
            if wanted.bound is Bound.PLAIN and _AND_NO_MORE.match(orders, match.end("number")):
                wanted = replace(wanted, bound=Bound.EXACTLY)
            return None if _ONE_MORE_KIND.match(orders, match.end()) else wanted
    if (not orders.isascii() or _TURKISH.search(orders)) and (match := _VERB_LAST.search(orders)):
        return amount(match.group("qualifier"), match.group("number"), "items")
    match = _UNSPACED.search(orders)
    if match and _ASKS_UNSPACED.search(orders):
        return amount(match.group("qualifier"), match.group("number"), "items")
    return None


def _named(match: re.Match[str]) -> str:
    """What is counted, in the query's words: up to the first that belongs to grammar."""
    words = match.group("items").split()
    named = list(takewhile(lambda word: word.lower() not in STOP_WORDS, words))
    return " ".join((named or words)[:_WORDS_NAMED])


def check_items(orders: str, answer: str) -> Iterator[Check]:
    wanted = wanted_items(orders)
    count = count_items(answer, wanted.number) if wanted else None
    is_over = count is not None and wanted is not None and count > wanted.number
    if wanted and count is not None and not (is_over and wanted.bound is Bound.PLAIN and _MORE_WANTED.search(orders)):
        yield check_amount(wanted, count)


def _marked(answer: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The items of numbered lines and of bullets, each of the outermost level."""
    lines = list(_MARKED_LINE.finditer(answer[:_LONGEST_LIST]))
    kinds = ([one for one in lines if one.group("number")], [one for one in lines if not one.group("number")])
    numbered, bullets = (_outermost(kind) for kind in kinds)
    return numbered, bullets


def _outermost(lines: list[re.Match[str]]) -> tuple[str, ...]:
    indent = min((len(one.group("indent")) for one in lines), default=0)
    return tuple(one.group("item").strip() for one in lines if len(one.group("indent")) == indent)


def marked_items(answer: str) -> list[str]:
    """The items of the answer's list, without their marks; numbered ones where bullets only stand beside them."""
    numbered, bullets = _marked(answer)
    return list(numbered if len(numbered) > 1 else bullets or numbered)


def count_items(answer: str, wanted: int) -> int | None:
    """How many things the answer names; None where that can't be told, as of a text that is no list.

    A marked list is believed, also where it has lists within. Of prose it is only sure what one or two sentences
    enumerate, and that it has as many parts as were wanted, or too little of everything.
    """
    answer = answer[:_LONGEST_LIST]
    numbered, bullets = map(len, _marked(answer))
    if max(numbered, bullets) > 1:
        return wanted if wanted in {numbered, bullets} else numbered if numbered > 1 else bullets
    inline = _marked_inline(answer)
    if inline > 1:
        return inline
    return _count_in_prose(answer, wanted)


def _marked_inline(answer: str) -> int:
    """Items of "1) … 2) … 3) …". The first mark may be gone: that of a line is, where sentences are taken out of it."""
    marks = {int(match.group(1)) for match in _INLINE_MARK.finditer(answer)}
    return max(marks) if marks and marks | {1} == set(range(1, max(marks) + 1)) else len(marks)


def _count_in_prose(answer: str, wanted: int) -> int | None:
    lines = [line for line in answer.splitlines() if any(map(str.isalnum, line))]
    if lines and lines[0].rstrip().endswith((":", "：")):
        lines = lines[1:]
        answer = "\n".join(lines) if lines else answer
    sentences = split_sentences(answer)
    longest = max(map(_enumerated, sentences), default=0)
    if len(sentences) <= _FEW_SENTENCES and len(lines) <= 1:
        return longest if longest > 1 or len(sentences) <= 1 else _nearest([len(sentences), 1], wanted)
    ordinals = len({match.group(1).lower() for match in _ORDINAL.finditer(answer)})
    paragraphs = sum(any(map(str.isalnum, part)) for part in re.split(r"\n[ \t]*\n", answer))
    readings = [len(sentences), len(lines), longest, ordinals, paragraphs]
    if wanted in readings:
        return wanted
    if len(lines) > 1 and all(len(line.split()) <= _WORDS_OF_LINE for line in lines):
        return len(lines)
    return max(readings) if max(readings) < wanted else None


def _nearest(readings: list[int], wanted: int) -> int:
    return min(readings, key=lambda count: (abs(count - wanted), count))


def _enumerated(sentence: str) -> int:
    sentence = " ".join(sentence.split())
    lead = _LIST_LEAD.search(sentence)
    listed = [sentence[: lead.start()], sentence[lead.end() :]] if lead else [sentence]
    return max(map(len, map(listed_in, listed)))


def listed_in(text: str) -> list[str]:
    """What stands between commas and conjunctions: "oak, ash and elm" are three."""
    last = _BEFORE_LAST.search(text)
    parts = [*_SEPARATOR.split(text[: last.start()]), text[last.end() :]] if last else _SEPARATOR.split(text)
    return [part for part in parts if part and any(map(str.isalnum, part))]
