"""The sentences of an answer that tell nothing by themselves: what leads up to a list, labels, courtesies, marks."""

import re

from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.vocabulary import COURTESY

_TELLS_MUCH = 3  # sentences, beside which a question back is none
_MOST_WORDS = 14
_LEADS_ON = re.compile(r"[:：][\s*_]*$|\*\*\s*$")
_DIGIT = re.compile(r"\d")
_FENCE = re.compile(r"\s*(?:```|~~~)\s*[\w+#-]*\s*$")
_CODE = re.compile(r"\w=\S|[({;]\s*$|^\s*[)}\]]")
_TO_SOMEBODY = re.compile(
    r"\W*(?:(?:dear|hi|hello|hey|liebe[rs]?|hallo|sehr geehrte[rs]?|bonjour|chère?s?|hola|estimad[oa]s?|ciao|gentile)\b"
    r"(?: [^\s,.?!:]+){0,4}[,!:]?|(?:(?:kind|best|warm|kindest) (?:regards|wishes)|best|sincerely|yours \w+|cheers|"
    r"(?:mit )?(?:freundlichen|herzliche|liebe|viele) grüßen?|cordialement|saludos)\b.{0,40})\W*|"
    r"\W*(?:i(?:'m| am|’m)(?: (?:so|truly|really|very))? sorry|(?:my |our )?apologies|sorry|(?:es )?tut mir leid|"
    r"(?:je suis )?désolée?|lo siento|mi dispiace|抱歉|申し訳)[^.?!]{0,60}[.!]?\W*",
    re.IGNORECASE,
)
_ADVISES = re.compile(
    r"\W*(?:you (?:might|may) (?:also )?want to|it(?:'s|’s| is) worth|i(?:'d|’d| would) (?:recommend|suggest)|"
    r"(?:to be (?:safe|sure),? )?please) (?:check|ask|confirm|double-check|verify|contact|call)(?:ing)?\b.*",
    re.IGNORECASE | re.DOTALL,
)  # to look further is no claim
_POINTS_ONLY = re.compile(
    r"\W*(?:yes|no|sure|that(?:'s| is|’s) (?:fine|right|correct|true|possible|ok(?:ay)?|no problem)|"
    r"(?:yes|no),? (?:it|they|you|we|that) (?:do(?:es)?(?:n't)?|is(?:n't)?|are(?:n't)?|can(?:'t|not)?)|it depends|"
    r"depende|das kommt darauf an|ça dépend|good to know|just so you know|fun fact)\W*",
    re.IGNORECASE,
)


def claiming(answer: list[Statement], *, in_talk: bool) -> list[Statement]:
    """The sentences that a context could bear out, or all where there is none; in talk a question may be all of it."""
    said = [one for one in answer if not claims_nothing(one)] or answer
    told = [one for one in said if not one.is_question]
    return told if not in_talk and len(told) >= _TELLS_MUCH else said


def claims_nothing(sentence: Statement) -> bool:
    """Whether a context could not bear it out, whatever it says: "Here is how:", "Yes, it does.", "Let me know!"."""
    text = sentence.text
    if len(sentence.words) <= _MOST_WORDS and not _DIGIT.search(text) and _LEADS_ON.search(text):
        return True
    if COURTESY.match(text) or any(one.fullmatch(text) for one in (_FENCE, _POINTS_ONLY, _TO_SOMEBODY, _ADVISES)):
        return not sentence.numbers
    return False


def is_code(line: str) -> bool:
    """Whether it is written as code is: its numbers are examples."""
    return _CODE.search(line) is not None
