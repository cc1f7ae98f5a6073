"""Symbols, codes and abbreviations, which are answers though they hardly are words: "Au", "UTF-8", "C#", ">="."""

import re
import unicodedata
from collections.abc import Sequence

from eval_worker.evaluation.text.numerals import is_roman
from eval_worker.evaluation.text.short_answers import is_mashed
from eval_worker.evaluation.text.word_set import word_set

_LONGEST = 24
_LENGTH_OF_MARK = 2
_LONGEST_SIGNS, _LONGEST_CAPITALS = 4, 6
_EDGES = " \t\r\n\"'`“”‘’«».,;:!?。！？"
_SIGN_CATEGORIES = frozenset({"Sm", "Sc"})
_ASCII_SIGNS = frozenset("%&@#*/\\^$~+-<>=|[]{}()_")
_BARE_SIGNS = frozenset("-_*.")  # alone they stand for nothing said
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_ELEMENT_SHAPE = re.compile(r"[A-Z][a-z]?")
_LOWER_ABBREVIATIONS = word_set(
    "html xhtml http https smtp dhcp mqtt grpc psql ntfs ssh sql xml css svg png jpg pdf rpm"
)

_ASKED_FOR = word_set("""
    symbol symbols sign character characters letter letters operator code abbreviation acronym abbreviated unit units
    formula element extension key shortcut keyword command suffix prefix punctuation delimiter separator ticker
    notation variable emoji bracket grade type blood rating word initials
    símbolo signo letra código abreviatura unidad fórmula palabra operador
    symbole signe lettre abréviation unité formule caractère mot opérateur touche
    symbol zeichen buchstabe kürzel abkürzung einheit formel kennzeichen wort operator taste elementsymbol länderkürzel
    simbolo segno lettera codice sigla unità parola símbolo sinal sigla unidade palavra símbolo
    symbool teken letter afkorting eenheid woord tecken bokstav förkortning enhet ord merkki kirjain lyhenne yksikkö
    symbol znak litera skrót jednostka słowo символ знак буква код сокращение единица формула слово обозначение
    simge sembol harf kısaltma birim رمز حرف وحدة प्रतीक अक्षर इकाई चिह्न σύμβολο γράμμα μονάδα 기호 문자 단위 약자 글자
    """)
_ASKED_FOR_UNSPACED = ("符号", "符號", "记号", "記号", "字母", "单位", "單位", "単位", "缩写", "縮寫", "代码", "代碼",
                       "略語", "略号", "文字", "化学式", "元素")  # fmt: skip
_ASKED_FOR_SIGN = word_set("""
    sign character characters operator punctuation delimiter separator bracket emoji signo carácter operador signe
    caractère opérateur zeichen satzzeichen segno carattere operatore sinal caractere teken tecken знак символ оператор
    """)
# Symbols that are also words for yes, no or nothing; only as they are written here, and only where one is asked for.
_HOMOGRAPHS = frozenset({"K", "Na", "No", "NO", "Si", "SI", "Er", "Ne", "NE", "NaN"})


def asks_for_code(question: Sequence[str]) -> bool:
    """Whether the words of a question name what is written as a code: a symbol, a unit, a letter, a command."""
    return any(
        word.removesuffix("'s") in _ASKED_FOR
        or (not word.isascii() and any(part in word for part in _ASKED_FOR_UNSPACED))
        for word in question
    )


def asks_for_sign(question: Sequence[str]) -> bool:
    return not _ASKED_FOR_SIGN.isdisjoint(question)


def is_homograph(text: str) -> bool:
    return text.strip(_EDGES) in _HOMOGRAPHS


def is_letter(text: str, *, asked: bool) -> bool:
    """Whether a text is one letter, as options and units are; a small one only where such a thing is asked for."""
    letter = text.strip(_EDGES)
    if len(letter) == _LENGTH_OF_MARK and letter[1] in "+-\u2212":  # the school mark, the blood group
        letter = letter[0]
    return len(letter) == 1 and letter.isalpha() and (asked or letter.isupper())


def is_code(text: str) -> bool:
    """Whether a text has the shape of a code. Case is all that tells "Au" from "au", so the text comes unfolded."""
    code = text.strip(_EDGES)
    if code[1:].islower() and code.isalpha():  # a plain word, however it begins
        return code in _LOWER_ABBREVIATIONS or _ELEMENT_SHAPE.fullmatch(code) is not None
    mashed = is_mashed(code.lower()) and not _COLOUR.fullmatch(code)
    if not code or len(code) > _LONGEST or any(map(str.isspace, code)) or mashed:
        return False
    if code in _LOWER_ABBREVIATIONS or _ELEMENT_SHAPE.fullmatch(code):
        return True
    letters = [character for character in code if character.isalpha()]
    if len(letters) < len(code):
        return bool(letters)  # "H2O", "UTF-8", "C#", "TCP/IP"
    if code.isupper():
        return len(code) <= _LONGEST_CAPITALS
    return len(code) == 1 or is_roman(code) or any(map(str.isupper, code[1:]))


def is_sign(text: str, *, asked: bool) -> bool:
    """Whether a text without a letter is an operator or a symbol. Where none was asked for, "---" is just noise."""
    sign = "".join(text.split()).strip("`'\"") or text.strip()
    if len(sign) > _LONGEST_SIGNS or not any(map(str.isprintable, sign)):
        return False
    if asked:
        return not (len(sign) > 1 and set(sign) <= set("!?.…"))
    if set(sign) <= _BARE_SIGNS or (len(sign) > 2 and len(set(sign)) == 1):  # noqa: PLR2004  # "***"
        return False
    return all(character in _ASCII_SIGNS or unicodedata.category(character) in _SIGN_CATEGORIES for character in sign)
