"""Tone, as far as words give it away: formal texts have no contractions and no slang."""

import re
from collections.abc import Iterator

from eval_worker.evaluation.instructions.check import Check
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered

_FORMAL = Prefiltered(
    r"\b(?:in|with|using|use|more|a|be|very|sound)\s+(?:an?\s+|more\s+|very\s+|strictly\s+)*(?:formal|professional)\s*"
    r"(?:tone|style|language|register|manner|way|english|voice|\.|$|,)|\bformally\b|\bprofessionally\b",
    words=("formal", "professional"),
)
_NO_CONTRACTIONS = Prefiltered(
    r"\b(?:no|without(?: using)?(?: any)?|(?:do not|don't) use(?: any)?|avoid(?: using)?(?: any)?) contractions?\b",
    words=("contraction",),
)
_CONTRACTION = re.compile(
    r"\b(?:\w+n['’]t|(?:i|you|we|they|he|she|it|that|there|who|what)['’](?:m|re|ve|ll|d|s)|let['’]s|gonna|wanna|"
    r"gotta)\b",
    re.IGNORECASE,
)
_SLANG = re.compile(
    r"\b(?:gonna|wanna|gotta|kinda|sorta|dunno|yeah|yep|nope|hey|cool|awesome|dude|guys|lol|omg|btw|asap|stuff|"
    r"ain['’]t|y['’]all|u|ur|thx)\b|"
    r"[\U0001f300-\U0001faff]|!{2,}",
    re.IGNORECASE,
)
_SCANNED = 20_000
_SLANGY = 0.5


def check_tone(orders: str, answer: str) -> Iterator[Check]:
    text = answer[:_SCANNED]
    if _NO_CONTRACTIONS.search(orders):
        found = _CONTRACTION.search(text)
        yield (
            Check(0.2, f"asked for no contractions, the answer has {found.group()!r}")
            if found
            else Check(1.0, "asked for no contractions, and the answer has none")
        )
    asked = _FORMAL.search(orders)
    if asked and not is_reported(orders, asked.start()) and (slang := _SLANG.search(text)):
        yield Check(_SLANGY, f"asked for a formal tone, the answer has {slang.group()!r}")
