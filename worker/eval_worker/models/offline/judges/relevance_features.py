"""What tells people how relevant an answer is where the query names no topic: of a summary, and of a reply in talk.

Features are 0 to 1. All saturate, and what is linked to nothing counts for nothing: longer is not better.
"""

import re
from collections.abc import Collection, Sequence

from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.judges.relevance_rules import decided, is_about_the_text
from eval_worker.models.offline.reading.dialogue import Dialogue, topical
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.vocabulary import COURTESY

_KEY_WORDS, _ENOUGH_OF_TEXT = 20, 0.4  # who repeats more than that does not summarize
_KEY_WORDS_OF_ONE_SENTENCE, _ENOUGH_FOR_ONE_SENTENCE = 8, 0.15
_ONE_SENTENCE = re.compile(
    r"\b(?:one|a|1|a single)(?: short| brief)?[ -](?:sentence|line|liner)\b|\b(?:head|tag)line\b|\btitle\b|\btweet\b",
    re.IGNORECASE,
)
_EXCLAIMED = re.compile(r"(?:[^\W\d]+ ){0,2}[^\W\d]+!+$")
_SCANNED = 2000
_SHARE_IN_TEXT, _SHARE_IN_DIALOGUE = 0.4, 0.25
_ENOUGH_SAID = 10  # distinct topical words: a sentence or two that say something
_ENOUGH_OF_TURN, _ENOUGH_OF_EARLIER, _ENOUGH_OF_GIVEN = 3, 2, 5

SIGNS = {
    "key_words": 1,
    "share_of_text": 1,
    "is_reply": 0,
    "specific": 1,
    "of_last_turn": 1,
    "of_earlier_turns": 1,
    "of_what_is_given": 1,
}
"""By feature: 1 where more of it may only raise a score, -1 only lower it, 0 either."""


def features_of(analysis: Analysis) -> dict[str, float] | None:
    """Return the features of a summary or a reply; None where a rule decides or the query names its topic."""
    return None if decided(analysis) else of_undecided(analysis)


def of_undecided(analysis: Analysis) -> dict[str, float] | None:
    """Return the features where no rule decides."""
    if analysis.dialogue is not None:
        return dict.fromkeys(SIGNS, 0.0) | of_reply(analysis, analysis.dialogue)
    if is_about_the_text(analysis):
        return dict.fromkeys(SIGNS, 0.0) | of_summary(analysis)
    return None


def of_summary(analysis: Analysis) -> dict[str, float]:
    """How much the answer says of what the context is chiefly about."""
    text = analysis.salience
    said = said_of_text(analysis)
    key_words, enough = _KEY_WORDS, _ENOUGH_OF_TEXT
    if _ONE_SENTENCE.search(analysis.interaction.user_query[:_SCANNED]):
        key_words, enough = _KEY_WORDS_OF_ONE_SENTENCE, _ENOUGH_FOR_ONE_SENTENCE
    return {"key_words": text.key_share(said, key_words), "share_of_text": min(1.0, text.share(said) / enough)}


def of_reply(analysis: Analysis, dialogue: Dialogue) -> dict[str, float]:
    """How much the reply says that only fits here, and what of the conversation it takes up."""
    said = said_of_dialogue(analysis, dialogue)
    return {
        "is_reply": 1.0,
        "specific": min(1.0, len(said) / _ENOUGH_SAID),
        "of_last_turn": min(1.0, len(said & dialogue.last) / _ENOUGH_OF_TURN),
        "of_earlier_turns": min(1.0, len((said & dialogue.earlier) - dialogue.last) / _ENOUGH_OF_EARLIER),
        "of_what_is_given": min(1.0, len(said & dialogue.given) / _ENOUGH_OF_GIVEN),
    }


def said_of_text(analysis: Analysis) -> frozenset[str]:
    return _of_sentences_about(analysis.answer, analysis.salience.stems, _SHARE_IN_TEXT)


def said_of_dialogue(analysis: Analysis, dialogue: Dialogue) -> frozenset[str]:
    return _of_sentences_about(analysis.answer, dialogue.all, _SHARE_IN_DIALOGUE)


def _of_sentences_about(answer: Sequence[Statement], known: Collection[str], share: float) -> frozenset[str]:
    """The topical stems of the sentences that have this share of theirs in what is known: one word links nothing."""
    sentences = (topical([one]) for one in answer if not (COURTESY.match(one.text) or _EXCLAIMED.match(one.text)))
    return frozenset(
        stem for stems in sentences if sum(one in known for one in stems) >= share * len(stems) for stem in stems
    )
