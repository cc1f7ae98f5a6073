"""Format: is there an answer at all, of two words or more, without repeated punctuation?"""

from eval_worker.evaluation.prechecks.direct_answer import DirectAnswer
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction

NAME = "format-checker"
_FEWEST_WORDS = 2
_BROKEN, _SLOPPY, _FINE = 0.0, 0.5, 1.0


def check_format(words: WordsOfInteraction, direct_answer: DirectAnswer, rubbish: str | None) -> tuple[float, str]:
    if rubbish:
        return _BROKEN, f"not an answer: it {rubbish}"
    count = words.answer.count
    direct = None
    if count < _FEWEST_WORDS:
        direct = direct_answer.reason
        if direct is None:
            return _BROKEN, _too_few(words, count)
    # A direct answer is excused for being short, not for its punctuation.
    answer = words.interaction.answer
    at = answer.replace("!", ".").replace("?", ".").find("...")
    if at >= 0:
        return _SLOPPY, f"answer repeats punctuation ({answer[at : at + 3]!r} at character {at})"
    if direct:
        return _FINE, f"answer has {count} word{'' if count == 1 else 's'}, but is direct: {direct}"
    return _FINE, f"answer has {count} words and no repeated punctuation"


def _too_few(words: WordsOfInteraction, count: int) -> str:
    if not words.interaction.answer.strip():
        return "answer is empty"
    return "answer has no words" if not count else f"answer has 1 word, fewer than {_FEWEST_WORDS}"
