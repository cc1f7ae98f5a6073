"""Sentences that follow one which was left without its full stop: "it rains here Thank you for asking!".

Run together they would be one, and what is put behind an answer to please a judge could not be told from it.
"""

import re

from eval_worker.evaluation.text.stop_words import STOP_WORDS

_OPENERS = (
    "This|That|These|Those|It|As|The|There|So|And|But|In|At|On|To|For|From|If|When|Which|What|We|You|Your|My|They|He|She|"
    "Here|All|Every|Everything|Nothing|No|Do|Have|Let|Please|Thanks?|Of|Not|With|Such|Both|More|Some|Many|Most|Perhaps|"
    "Probably|Certainly|Sure|Overall|Feel|Looking|Great"
)
_BEGINS = re.compile(rf"(?<=[^\W_]|\]) +(?=(?:{_OPENERS}) [a-z]+\b(?!['’.]))")
_BEGINS_WITH_CAPITAL = re.compile(r"(?<=[a-z0-9]) (?=[A-Z][a-z]*(?: [a-z0-9,']+){2,}[.!?]$)")
_GRADED = re.compile(
    r"(\b(?:score|rating|grade|level|verdict)\s*[:=]\s*\d+(?:\s*/\s*\d+)?)[ \t]+(?=[^\W\d])", re.IGNORECASE
)
_RULED = re.compile(r"(?<=\S)[ \t]+[=_~#•*-]{3,}$|^[=_~#•*-]{3,}[ \t]+(?=\w)", re.MULTILINE)
_SIGNS_OF_RULE = ("===", "___", "~~~", "###", "•••", "***", "---")
_ROW = re.compile(r"^(?:[|•·][ \t]+){2,}(?=[^|•·\n]*$)|(?<=[^|•·\s])(?<!\|)(?:[ \t]+[|•·]){2,}[ \t]*$", re.MULTILINE)
_OTHER_SCRIPT = re.compile(r"(?<=[a-z0-9.]) (?=[^\W\d_A-Za-zÀ-ɏ][^A-Za-zÀ-ɏ\n]{3,}$)", re.MULTILINE)
_FENCE = "```"
_FEWEST_WORDS = 4


def with_stops(answer: str) -> str:
    """Return the answer with a line break where a sentence begins in words that hardly any name begins with.

    Where a line was written without capitals, any word that has one begins a sentence. A score ends one, and so does a
    rule of equals signs or the like.
    """
    if answer.count(_FENCE) == 1:  # it closes nothing
        answer = answer.replace(_FENCE, "")
    if " " not in answer:
        return answer
    if any(sign in answer for sign in _SIGNS_OF_RULE):
        answer = _RULED.sub("\n", answer)
    if "| |" in answer or "• •" in answer:
        answer = _ROW.sub("\n", answer)
    if not answer.isascii():
        answer = _OTHER_SCRIPT.sub("\n", answer)
    return "\n".join(map(_of_line, answer.split("\n")))


def _of_line(line: str) -> str:
    return _of_plain(_GRADED.sub(r"\1\n", "\n".join(_BEGINS.split(line))))


def _of_plain(line: str) -> str:
    begins = _BEGINS_WITH_CAPITAL.search(line)
    if begins is None:
        return line
    head = line[: begins.start()]
    words = head.split()
    if len(words) < _FEWEST_WORDS or words[-1] in STOP_WORDS or head != head.lower():
        return line
    return f"{head}\n{line[begins.end() :]}"
