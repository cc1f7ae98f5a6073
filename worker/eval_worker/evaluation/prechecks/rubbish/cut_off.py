"""An answer that breaks off before it says anything: "The capital of France is the"."""

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.codes import asks_for_code
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold

_FEWEST_WORDS, _MOST_WORDS = 3, 9
# No sentence ends on these: articles, conjunctions, possessives. Prepositions and "is" may stand last ("that it is").
_OPEN_ENDS = word_set("""
    the an and or because although whereas whose our my your their
    und oder weil dass des dem et ou parce le les du aux el los las y porque i perché gli
    и или потому что because-of
    """)
# Whether a text is closed is seen by its last character; quotes may hold any word.
_CLOSES = frozenset(".!?…。！？؟।\"'”’`»)]}」』")


def why_cut_off(words: WordsOfInteraction) -> str | None:
    sequence = words.answer.sequence
    if not _FEWEST_WORDS <= len(sequence) <= _MOST_WORDS or sequence[-1] not in _OPEN_ENDS:
        return None
    if words.interaction.answer.rstrip()[-1] in _CLOSES:
        return None
    if asks_for_code(words.query.sequence) or _is_quoted(words):
        return None
    return f"breaks off after {len(sequence)} words"


def _is_quoted(words: WordsOfInteraction) -> bool:
    """A piece of the query or the context, cut out as it stands there."""
    piece = fold(words.interaction.answer.strip())
    return piece in fold(words.interaction.user_query) or piece in fold(words.interaction.context)
