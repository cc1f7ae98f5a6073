"""Which language an answer was asked for, and whether it is written in it: by script, or by its commonest words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from eval_worker.evaluation.instructions.check import Check, told
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words


@dataclass(frozen=True, slots=True)
class Language:
    """`script` is a class of characters where the script tells the language; else `common` words do."""

    name: str
    script: str = ""
    common: frozenset[str] = frozenset()


_ENGLISH = word_set(
    """
    the of and to in is are was it that for with as on by this be from an i you he she we they what how my your
    have has do did not can there
    """
)
_FRENCH = word_set(
    """
    le la les de des du et est un une en que qui dans pour pas sur au il elle sont avec ce je tu nous vous comment
    mon ma ton ai as ne été quel où
    """
)
_GERMAN = word_set(
    """
    der die das und ist in den von zu mit ein eine nicht auf für es sich als auch im sind ich du wir ihr wie was
    wo hat hast habe bin kann mein dein
    um am einen einem einer bei nach über aus wird werden oder wenn dass mir zum zur noch nur
    """
)
_SPANISH = word_set(
    """
    el la los las de y es un una en que por con para del se su al lo son está yo tú qué cómo mi tu ha has como más
    pero muy dónde hay
    """
)
_ITALIAN = word_set(
    """
    il la le di e è un una in che per con del della non si sono gli lo da al io tu noi come mi ti ha hai ho sei
    più ma dove cosa
    """
)
_PORTUGUESE = word_set(
    """
    o a os as de e é um uma em que por com para do da não se são no na ao eu você como meu seu tem foi mais mas
    está muito onde
    """
)
_DUTCH = word_set(
    """
    de het een en van is in op te dat met voor niet zijn aan er om ook ik je jij hij wij wat hoe mijn heeft heb
    bent maar hebt waar
    """
)
_SWEDISH = word_set(
    """
    och att det en ett är som på av för med den inte till i har jag du han hon vi vad hur min var men kan ni sig
    """
)
_POLISH = word_set(
    """
    i w na z do nie się jest to że o jak po od za dla są ja ty my co mój był ale czy mnie jestem gdzie tak
    """
)
_TURKISH = word_set(
    """
    bir ve bu için ile da de çok olarak daha en gibi kadar olan ben sen biz ne nasıl mi mı değil var ama siz
    nerede
    """
)

LANGUAGES = {
    "english": Language("English", common=_ENGLISH),
    "french": Language("French", common=_FRENCH),
    "german": Language("German", common=_GERMAN),
    "spanish": Language("Spanish", common=_SPANISH),
    "italian": Language("Italian", common=_ITALIAN),
    "portuguese": Language("Portuguese", common=_PORTUGUESE),
    "dutch": Language("Dutch", common=_DUTCH),
    "swedish": Language("Swedish", common=_SWEDISH),
    "polish": Language("Polish", common=_POLISH),
    "turkish": Language("Turkish", common=_TURKISH),
    "russian": Language("Russian", "\u0400-\u04ff"),
    "ukrainian": Language("Ukrainian", "\u0400-\u04ff"),
    "chinese": Language("Chinese", "\u4e00-\u9fff"),
    "japanese": Language("Japanese", "\u3040-\u30ff"),
    "korean": Language("Korean", "\uac00-\ud7af"),
    "arabic": Language("Arabic", "\u0600-\u06ff"),
    "hebrew": Language("Hebrew", "\u0590-\u05ff"),
    "hindi": Language("Hindi", "\u0900-\u097f"),
    "thai": Language("Thai", "\u0e00-\u0e7f"),
    "greek": Language("Greek", "\u0370-\u03ff"),
}  # fmt: skip
_OWN_NAMES = {
    "auf deutsch": "german", "en français": "french", "en español": "spanish", "in italiano": "italian",
    "em português": "portuguese", "по-русски": "russian", "на русском": "russian", "用中文": "chinese",
    "日本語で": "japanese", "用英文": "english", "用英语": "english", "英語で": "english", "한국어로": "korean",
    "auf englisch": "english", "en anglais": "english", "en inglés": "english",
}  # fmt: skip
_NAMES = "|".join(LANGUAGES)
_ASKED = Prefiltered(
    rf"\b(?:answer|respond|reply|write|explain|say|speak|describe|response|translat\w+)\b[^.?!\n]{{0,80}}?\b(?:in|"
    rf"into|to)\s+({_NAMES})\b"
    rf"(?!\s+(?:history|literature|culture|politics|food|cuisine|grammar|guiana|cities))|\b(?:in|"
    rf"into)\s+({_NAMES})\s*(?:[.,!?]|only|please|$)",
    words=LANGUAGES,
)
_ABOUT_A_WORD = re.compile(r"\b(?:word|words|say|call|called|mean|means|expression)\b", re.IGNORECASE)
_LEAST_SCRIPT, _LEAST_COMMON, _FEW_WORDS, _SOME_WORDS = 0.2, 0.12, 4, 12
_SURE = 2  # common words of another language
_SAMPLE = 4000


def check_language(orders: str, answer: str) -> Iterator[Check]:
    language = asked_language(orders)
    if language:
        name = LANGUAGES[language].name
        yield told(f"asked for {name}", kept=is_written_in(language, answer), otherwise=f"the answer is not in {name}")


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def asked_language(query: str) -> str | None:
    lowered = query.lower()
    for phrase, language in _OWN_NAMES.items():
        if phrase in lowered:
            return language
    match = _ASKED.search(query)
    if not match or is_reported(query, match.start()) or (_ABOUT_A_WORD.search(query) and match.group(1) is None):
        return None
    return (match.group(1) or match.group(2)).lower()


def is_written_in(language: str, text: str, *, in_doubt: bool = True) -> bool:
    """Whether the text may pass for the language; `in_doubt` is what is said of some words without any common one."""
    wanted = LANGUAGES[language]
    text = text[:_SAMPLE]
    letters = [character for character in text if character.isalpha()]
    if wanted.script:
        found = len(re.findall(f"[{wanted.script}]", text))
        return found >= _LEAST_SCRIPT * max(1, len(letters))
    words = Words(text).sequence
    if len(words) < _FEW_WORDS:
        return bool(words)
    found = {name: sum(word in known.common for word in words) for name, known in LANGUAGES.items() if known.common}
    most = max(found.values())
    if not found[language] and len(words) < _SOME_WORDS:
        return in_doubt and most < _SURE
    return found[language] >= _LEAST_COMMON * len(words) and found[language] >= most * 0.8
