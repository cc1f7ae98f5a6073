"""Whether what stands before or behind a place may be a sentence of its own, where two may have been joined there.

A name would be cut in two else, or cut off from what leads up to it: "the famous" and "Eiffel Tower".
"""

import re
from collections.abc import Callable, Sequence

from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.cores.ties import TELLS_LITTLE
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import (
    ABOUT_JUDGING,
    EMPTY_WORDS,
    LABELS,
    LEADS_ON,
    LIGHT_WORDS,
    PLEASANTRIES,
    REQUEST_WORDS,
    SAID_OF_TEXTS,
    SAYS_OF_ITSELF,
)

PREPOSITIONS = word_set(
    "in on to for with by from about like called named mr dr but while though although when since until if that"
)
VERBS = word_set("is are was were be been has have had do does did can could will would must should may might not n't")
_GOES_ON = LEADS_ON | PREPOSITIONS
_OBJECTS = word_set("it them him her me us you too there here now then again above below")
_SUBJECTS = word_set("i we you they he she it who that")
_LEADS_TO_A_NAME = (_GOES_ON | VERBS | STOP_WORDS) - _OBJECTS
_GERMAN = word_set(
    "der das den dem des ein eine einen einem einer eines und ist sind nicht mit für von zu zum zur im am auf als auch "
    "es ich wir er sie hat haben wird werden bei nach über sich aus wenn noch dann uns bitte immer oder wie durch"
)
_SIGNS_OF_CODE = frozenset("=(){}[]<>`")
_GRAMMAR_OF_PROSE = STOP_WORDS - word_set(
    "if else for in from as not and or is with while try where by on to at of do then end until"
)
_OPEN_LISTS = word_set("pros cons strengths weaknesses verdict rating score")
_LEADING = LIGHT_WORDS | {"according", "regarding", "given", "sorry"}
_WELL_KNOWN = (
    TELLS_LITTLE | SAID_OF_TEXTS | PLEASANTRIES | ABOUT_JUDGING | frozenset(map(stem, REQUEST_WORDS | _LEADING))
)
_PRAISE = (PLEASANTRIES | SAYS_OF_ITSELF | EMPTY_WORDS) - {stem("done"), stem("sure")}  # these may answer a request
_OF_TEXTS = _PRAISE | SAID_OF_TEXTS
_FEWEST_WORDS, _FEWEST_WORDS_BEHIND, _MOST_OF_LABEL, _MOST_OF_LEAD = 3, 5, 4, 8
_I = ("I", "I'", "I’")
_CLOSES, _CLOSED = ":)]>", ")]>"
ENDS = ".!?。！？"
_MARKS = "\"'“‘”’([).,;:!?✓✔☑✅"
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"\d[\d.,:]*")
OTHER_SCRIPT = r"[^\W\d_A-Za-zÀ-ɏ]"
PICTURES = r"\u2600-\u27bf\U0001f300-\U0001faff"
PICTURE = re.compile(f"[{PICTURES}]")
_NOT_LATIN = re.compile(OTHER_SCRIPT)
LATIN = re.compile(r"[A-Za-zÀ-ɏ]")


def may_be_clause(head: str, tail: str, read: Callable[[str], Statement]) -> bool:  # noqa: PLR0911  # the first rule that applies decides
    """Whether a text that follows another may be a sentence, as opposed to a name in one."""
    if not tail[0].isalpha() or head.count('"') % 2:
        return False
    if LATIN.match(tail) is None:
        return head[-1].isascii() and len(tail) > _FEWEST_WORDS and not (LATIN.search(tail) or _NOT_LATIN.search(head))
    before = head.rsplit(maxsplit=1)[-1]
    last = before.strip("\"'“”‘’([).").lower()
    words = tail.split(maxsplit=_FEWEST_WORDS + 1)
    if before[-1] == ":" or (len(last) == 1 and last.isalpha()) or last in _GOES_ON or not tail[0].isupper():
        return False
    if _is_exclaimed(words, tail, read):
        return True
    if len(words) < _FEWEST_WORDS:
        return False
    first = next(iter(Words(words[0]).sequence), "")
    if words[0][-1] == ":" and (first in LABELS or first in _OPEN_LISTS):
        return True
    if len(first) == 1 and words[0] != "I":
        return False
    if words[0] == "I":
        return last not in STOP_WORDS and all(map(_is_well_known, read(tail).words))
    plainly = not before[0].isupper() and _is_well_known(first)
    is_long = head.count(" ") >= _FEWEST_WORDS or (len(words) > _FEWEST_WORDS and tail[-1] in ENDS)
    if (words[1][0].islower() or words[1][:2] in _I) and (plainly or (is_long and _opens_sentences(first))):
        return True
    return _is_without_names(head) and last not in STOP_WORDS and all(word[0].islower() for word in words[1:3])


def goes_on_in_german(head: str, tail: str) -> bool:
    """Whether both are German, where any noun has a capital and so none tells that a sentence begins."""
    return not (_GERMAN.isdisjoint(head.lower().split()) or _GERMAN.isdisjoint(tail.lower().split()))


def may_stand_ahead(head: str, tail: str, read: Callable[[str], Statement], fewest: int) -> bool:
    """Whether a text that another follows may be a sentence of its own, as opposed to what leads up to a name.

    `fewest` are its words if all of them are said of any text: "No errors".
    """
    words = head.split()
    if is_closed(head, tail):
        return True
    if len(words) < fewest or head[-1] == ":" or not (tail[0].isupper() or head[-1] in _CLOSED):
        return False
    last = words[-1].strip(_MARKS).lower()
    goes_on = last in _LEADS_TO_A_NAME or last.isdecimal() or (words[-1][0].isupper() and len(words) > 1)
    if goes_on or (head[0].islower() and len(words) <= _FEWEST_WORDS_BEHIND):
        return False
    if len(words) < _FEWEST_WORDS and not _is_said_of_texts(read(head)):
        return False
    return not any(word[0].isupper() and word != "I" for word in words[1:]) or says_nothing(read(head))


def is_closed(head: str, tail: str) -> bool:
    """Whether several words end as only a sentence does, so that whatever follows begins another: "Here we go:"."""
    words, begins = head.split(), tail.split(maxsplit=2)
    if len(words) < _FEWEST_WORDS - (head[-1] in ENDS) or begins[0] in _GOES_ON:
        return False
    if head[-1] in ENDS:
        return head[-2] in ENDS or head.isupper()
    if head[-1] == ",":
        return begins[0][0].isupper() and not any(word[0].isupper() for word in words[1:])
    if head[-1] in ":：":
        plain = head[-2].isalnum() and words[-1].islower() and VERBS.isdisjoint(words)  # "A list is mutable: you can …"
        return plain and len(words) <= _MOST_OF_LEAD
    if head.isupper() and ")" not in head:
        return not any(word.isupper() and len(word) > 1 for word in begins[:2])
    return head[-1] == "…" or PICTURE.match(head[-1]) is not None


def may_stand_behind(head: str, tail: str) -> bool:
    """Whether a text at the end of another reads like a sentence, and unlike a name and what it is said to do."""
    words, before = tail.split(), head.rsplit(maxsplit=1)[-1]
    if len(words) < _FEWEST_WORDS_BEHIND or not words[0].rstrip(",").isalpha() or not tail[0].isupper():
        return False
    if not before[0].isalnum() or before[0].isupper() or before[-1] == ":":
        return False
    if before.strip(_MARKS).lower() in _LEADS_TO_A_NAME or STOP_WORDS.isdisjoint(words[1:_FEWEST_WORDS_BEHIND]):
        return False
    return all(word[0].islower() or word[:2] in _I for word in words[1:3])


def is_prose_behind_code(tail: str) -> bool:
    """Whether it has nothing of code: it ends as a sentence does, or has the grammar of one."""
    words = tail.split()
    if len(words) < _FEWEST_WORDS or not tail[1:2].islower() or not _SIGNS_OF_CODE.isdisjoint(tail):
        return False
    return tail[-1] in ENDS or sum(word in _GRAMMAR_OF_PROSE for word in words) > 1


def _is_said_of_texts(one: Statement) -> bool:
    words = one.words
    opens = _SUBJECTS.isdisjoint(words[:1])
    return opens and all(word in STOP_WORDS or stem(word) in _OF_TEXTS for word in words)


def says_nothing(one: Statement) -> bool:
    return all(map(_is_well_known, one.words))


def _opens_sentences(first: str) -> bool:
    """Whether a name seldom goes on with it: "New Employee Onboarding Please note that …"."""
    return first in STOP_WORDS or first in _LEADING or stem(first) in PLEASANTRIES


def _is_exclaimed(words: Sequence[str], text: str, read: Callable[[str], Statement]) -> bool:
    """Whether it is a few words that say nothing: "Of course!"."""
    if not 1 < len(words) <= _FEWEST_WORDS or words[-1][-1] not in ENDS or not words[1][0].islower():
        return False
    said = () if words[0].isupper() else read(text).words
    if not said or not (words[-1][-1] == "!" or said[0] in STOP_WORDS):
        return False
    return all(map(_is_well_known, said))


def _is_without_names(head: str) -> bool:
    """Whether it may be a sentence, and has no capital but the first, so that the next one means something."""
    words = head.split()
    return len(words) > _FEWEST_WORDS and not any(word[0].isupper() for word in words[1:])


def _is_well_known(word: str) -> bool:
    return word in STOP_WORDS or stem(word) in _WELL_KNOWN


def is_set_apart(head: str, tail: str, one: Statement) -> bool:
    """Whether it announces what follows, or is done before it, and is no part of it: "Answer:", "Perhaps. it …"."""
    if not one.words or (_NUMBER.fullmatch(head) and tail[0].islower()):  # "1984 by George Orwell", "8,849 m"
        return False
    if LATIN.search(head) is None:
        return len(head) > _FEWEST_WORDS and LATIN.match(tail) is not None
    if is_done_before(head, tail):
        return all(map(_is_well_known, one.words))
    named = [word for word in one.words if not word.isdecimal() and word not in STOP_WORDS]
    if not 0 < len({*named}) <= _MOST_OF_LABEL or not (head[-1] in _CLOSES or tail[0].isupper()):
        return False
    if LABELS.issuperset(named) and (head[-1] in _CLOSES or len(named) == len(one.words)):
        return True
    begins = tail.split(maxsplit=2)
    plainly = len(begins) > 1 and begins[0].lower() in STOP_WORDS and begins[1][0].islower()
    return plainly and one.words[-1] not in _GOES_ON and all(stem(word) in _PRAISE for word in named)


def is_label(one: Statement) -> bool:
    return one.text[-1] in ":：" and LABELS.issuperset(one.words)


def is_done_before(head: str, tail: str) -> bool:
    return tail[0].islower() and head[-1] in ENDS and not head[-2:-1].isspace()


def longest_label(sentence: str) -> int:
    """Where it begins to speak of something: before the first word that is neither grammar nor a word of labels."""
    for token in _TOKEN.finditer(sentence):
        word = token[0].strip(_MARKS).lower()
        if word.isalpha() and word not in STOP_WORDS and word not in LABELS and stem(word) not in _PRAISE:
            return token.start()
    return len(sentence)
