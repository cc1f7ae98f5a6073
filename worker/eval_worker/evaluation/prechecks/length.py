"""Length: is the answer of a size that fits its query?"""

from eval_worker.evaluation.prechecks.direct_answer import DirectAnswer
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction

NAME = "length-checker"
_SHORTEST, _LONGEST = 0.5, 10
_TOO_SHORT, _TOO_LONG, _FITS = 0.0, 0.5, 1.0


def check_length(words: WordsOfInteraction, direct_answer: DirectAnswer, rubbish: str | None) -> tuple[float, str]:
    """Scores the ratio of characters (code points, without the blanks around): short 0.0, long 0.5, else 1.0."""
    if rubbish:
        return _TOO_SHORT, f"nothing to measure: answer {rubbish}"
    query = len(words.interaction.user_query.strip())
    answer = len(words.interaction.answer.strip())
    if answer < _SHORTEST * query or not answer:
        return _short(words, direct_answer, answer, query)
    if not words.answer.sequence and not any(map(str.isalnum, words.interaction.answer)):
        return _short(words, direct_answer, 0, query)
    if answer > _LONGEST * query:
        return _TOO_LONG, f"answer is {_characters(answer)} to the query's {query}: more than {_LONGEST} times as long"
    return _FITS, f"answer is {_characters(answer)} to the query's {query}"


def _short(words: WordsOfInteraction, direct: DirectAnswer, answer: int, query: int) -> tuple[float, str]:
    if direct.reason:
        return _FITS, f"answer is {_characters(answer)} to the query's {query}, but direct: {direct.reason}"
    if not words.answer.sequence:
        what = "has no words" if words.interaction.answer.strip() else "is empty"
        return _TOO_SHORT, f"answer {what}, to a query of {_characters(query)}"
    return _TOO_SHORT, f"answer is {_characters(answer)} to the query's {query}: too short"


def _characters(count: int) -> str:
    return "1 character" if count == 1 else f"{count} characters"
