"""Text that was decoded wrongly: UTF-8 read as Windows-1252 ("CafÃ©"), or characters lost for good (U+FFFD)."""

import re

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.short_answers import is_mashed
from eval_worker.evaluation.text.words import fold

_SCANNED = 4000
# The lead byte of a UTF-8 sequence and what Windows-1252 and Latin-1 make of the bytes that follow it.
_FOLLOWING = "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_MISREAD = re.compile(f"[ÂÃÐÑÄÅÎÏØÙ×][{_FOLLOWING}]|[àáâãäåæçèéêëï][{_FOLLOWING}]{{2}}|ð[{_FOLLOWING}]{{3}}|锟斤拷")
_LOST = "\ufffd"
# Rare in what was decoded well; one character each, since that is the quickest thing to look for.
_SIGNS_OF_IT = (_LOST, *"ÃÂÐÑØÙ¸¤¥˜ˆ‡", "\x81", "\x8d", "\x90", "â€", "锟")
_LATIN = re.compile(r"[a-zÀ-ɏ]")
_MOST_MASHED = 6  # words
_FEWEST, _MOST_OF_WORDS = 3, 0.4
_ABOUT_ENCODING = re.compile(
    r"\b(?:mojibake|encod\w*|decod\w*|utf|unicode|latin-?1|charset|garbled|special characters?)\b|编码|文字化け"
)


def _why_mashed(words: WordsOfInteraction) -> str | None:
    """Keys pressed in a row, and nothing else: "asdf asdfgh"."""
    sequence = words.answer.sequence
    if not 0 < len(sequence) <= _MOST_MASHED or not all(map(is_mashed, sequence)):
        return None
    query = fold(words.interaction.user_query)
    if len(sequence) == 1 and not _asks_for_text(words, query):
        return None  # it may be a name, and no explanation
    return None if "keyboard" in query or sequence[0] in query else "is a row of keys"


def _asks_for_text(words: WordsOfInteraction, query: str) -> bool:
    """Whether a word in Latin letters is none of what may be asked for."""
    if words.question.asks is Asks.OPEN:
        return True
    return words.question.asks is Asks.UNKNOWN and not words.question.marked and _LATIN.search(query) is None


def why_garbled(words: WordsOfInteraction) -> str | None:
    answer = words.interaction.answer
    if answer.isascii():
        return _why_mashed(words)
    head = answer[:_SCANNED]
    if not any(sign in head for sign in _SIGNS_OF_IT):
        return None
    pieces = head.split()
    broken = sum(1 for piece in pieces if _LOST in piece or _MISREAD.search(piece))
    characters = head.count(_LOST) + len(_MISREAD.findall(head))
    if characters < _FEWEST or broken < _MOST_OF_WORDS * len(pieces):
        return None
    query = words.interaction.user_query
    if _LOST in query or _MISREAD.search(query) or _ABOUT_ENCODING.search(fold(query)):
        return None
    return f"is garbled: {broken} of {len(pieces)} words were decoded wrongly"
