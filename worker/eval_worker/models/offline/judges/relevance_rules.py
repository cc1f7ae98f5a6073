"""The answers whose relevance a rule decides, since counting words would tell nothing."""

import re
from collections.abc import Sequence
from functools import lru_cache

from eval_worker.evaluation.instructions.items import wanted_items
from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.question import Question
from eval_worker.evaluation.text.question_words import QUESTION_WORDS
from eval_worker.evaluation.text.short_answers import ASSENT_WORDS, GREETING_WORDS
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.judges.declining import declines_harm, declines_rightly
from eval_worker.models.offline.judges.plausible import is_plausible
from eval_worker.models.offline.reading.dialogue import topical
from eval_worker.models.offline.reading.greeting import is_greeting
from eval_worker.models.offline.reading.requests import is_request, is_task
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.unknowable import leaves_open_what_is_meant
from eval_worker.models.offline.reading.vocabulary import ASKS_FOR_SUMMARY, FINITE_VERBS, POINTS_BACK

_NOTHING, _WRONG, _REFUSED, _REFUSED_RIGHTLY, _DECLINED_RIGHTLY = 0.0, 0.15, 0.25, 0.5, 0.7
_OTHER_LANGUAGE = 0.65
_ASKS_BACK, _FEWEST_BACK = 0.85, 2  # questions
_DIRECT, _DIRECT_AND_BORNE_OUT = 0.9, 0.97
_UNTOLD = 0.45
_CLEAR = 0.65
_ABOUT = 2  # times as many items as are wanted
_SCANNED = 2000
_MOST_TO_GREETING = 40  # words
_OF_TALK = GREETING_WORDS | ASSENT_WORDS | word_set("i i'm i'd we we're you you're your me my us ich wir je nous yo")
_TO_THE_ASKER = re.compile(
    r"\b(?:you|your|du|dir|dich|dein\w*|sie|ihr\w*|tu|te|vous|vos|votre|tienes|quieres|tus?|usted|su)\b", re.IGNORECASE
)
_WORDS_OF_SENTENCE = 3
_FIRST_OF_QUESTION = frozenset((word,) for word in QUESTION_WORDS)
_ENDS = (".", "!", "。", "！", "।", "؟")


def decided(analysis: Analysis) -> Judgement | None:
    if asks_back(analysis):
        return Judgement(_ASKS_BACK, "the answer asks for what it needs to know")
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: the query is not addressed")
    if analysis.dialogue is None and (unanswered := _unanswered(analysis)):
        return unanswered
    if analysis.language_asked_for:
        reason = (
            f"the answer is in {analysis.language_asked_for} as asked, so its words can't be held against the query's"
        )
        return Judgement(_OTHER_LANGUAGE, reason)
    if answers_greeting(analysis):
        return Judgement(_DIRECT, "a greeting is answered")
    return _by_form(analysis)


def _by_form(analysis: Analysis) -> Judgement | None:
    if _is_direct(analysis):
        return _of_direct(analysis)
    if is_about_the_text(analysis) and not analysis.support:
        return Judgement(_UNTOLD, "the query names no topic and there is no context, so nothing tells whether it fits")
    return None


def answers_greeting(analysis: Analysis) -> bool:
    """Whether the query does no more than greet or thank, and the answer is as short as people's are to that."""
    if analysis.dialogue is not None or len(analysis.whole_text.split()) > _MOST_TO_GREETING:
        return False
    return is_greeting(analysis.interaction.user_query) and not _OF_TALK.isdisjoint(analysis.answer_words)


def asks_back(analysis: Analysis) -> bool:
    """Whether a request that leaves open what is meant gets questions back."""
    text = analysis.whole_text
    return (
        text.count("?") + text.count("？") >= _FEWEST_BACK
        and _TO_THE_ASKER.search(text) is not None
        and analysis.dialogue is None
        and leaves_open_what_is_meant(analysis.interaction.user_query)
    )


def _unanswered(analysis: Analysis) -> Judgement | None:
    """In a conversation neither is a fault: "I don't know, but …" goes on, and opinions differ."""
    if analysis.all_contradicted:
        return Judgement(_WRONG, f"the query is not answered: {analysis.contradictions[0].conflict}")
    return _of_refusal(analysis) if analysis.refusal else None


def _is_direct(analysis: Analysis) -> bool:
    """Whether a few words can be all that was asked for: not for a summary, nor small talk in a conversation."""
    if not analysis.direct or analysis.says_only_yes_or_no:
        return analysis.direct
    if analysis.dialogue is not None and not topical(analysis.answer):
        return False
    wants_summary = is_about_the_text(analysis) and (_asks_for_summary(analysis) or not analysis.question.marked)
    return (analysis.is_fragment or analysis.is_list) and not wants_summary


def is_about_the_text(analysis: Analysis) -> bool:
    """Whether the query names no topic but the text: "Summarize the article.", or words for it that it does not use."""
    if not analysis.topic or not _asks_for_summary(analysis):
        return not analysis.topic
    if not analysis.context:  # what is well known may be summarized without its text
        return analysis.answer_stems.isdisjoint(analysis.topic)
    return not any(stem in analysis.ground for stem in analysis.topic)


def orders_something_of_the_text(analysis: Analysis) -> bool:
    """Whether something is to be made of the context, in words that it does not have."""
    if not analysis.support or analysis.question.marked or analysis.dialogue is not None:
        return False
    asks = is_request(analysis.interaction.user_query) or is_task(analysis.interaction.user_query)
    return asks and not any(stem in analysis.ground for stem in analysis.topic)


def _asks_for_summary(analysis: Analysis) -> bool:
    return _speaks_of_summary(analysis.interaction.user_query[:_SCANNED])


@lru_cache(maxsize=16)  # asked more than once of one query, whose head is short
def _speaks_of_summary(query: str) -> bool:
    return ASKS_FOR_SUMMARY.search(query) is not None


def _of_direct(analysis: Analysis) -> Judgement:
    if len(analysis.said) > len(analysis.answer):
        return Judgement(_UNTOLD, "it would be a direct answer, had it been said once")
    if analysis.support and all(one.score > _CLEAR for one in analysis.support):
        return Judgement(_DIRECT_AND_BORNE_OUT, "a direct answer to what the query asks")
    by_shape_alone = (
        analysis.answer_stems.isdisjoint(analysis.topic)
        and not any(stem in analysis.ground for stem in analysis.answer_stems)
        and not works_with_its_numbers(analysis)
    )
    if by_shape_alone and is_off_topic(analysis):
        return Judgement(_UNTOLD, "it is a sentence of its own, and nothing links it to what the query asks")
    if by_shape_alone and not (_lists_what_is_wanted(analysis) or _looks_asked_for(analysis, analysis.answer)):
        return Judgement(_UNTOLD, "it is as short as a direct answer, but does not look like one")
    return Judgement(_DIRECT, "a direct answer to what the query asks")


def works_with_its_numbers(analysis: Analysis) -> bool:
    """Whether the answer has a number of the query and one more: "42, because 42 x 42 = 1764"."""
    said = frozenset[str]().union(*(one.numbers for one in analysis.answer))
    return not said.isdisjoint(analysis.query.numbers) and not said.issubset(analysis.query.numbers)


def is_off_topic(analysis: Analysis) -> bool:
    """Whether it is no fragment that the query completes but a sentence, on something else.

    A context that speaks of the topic would have a word of it; else it has to have a verb that is known as one.
    """
    text = analysis.answer_text.strip()
    words = analysis.answer_words
    if analysis.dialogue is not None or not _asks(analysis.question):
        return False
    if analysis.is_list or POINTS_BACK.match(text) or analysis.yes_or_no is not None or not text.endswith(_ENDS):
        return False
    if Words(text).count < _WORDS_OF_SENTENCE:
        return False
    if any(stem in analysis.ground for stem in analysis.topic):
        return True
    return not FINITE_VERBS.isdisjoint(words[1:])


def _asks(question: Question) -> bool:
    return question.marked or "define" in question.words or question.words[:1] in _FIRST_OF_QUESTION


def _looks_asked_for(analysis: Analysis, said: Sequence[Statement]) -> bool:
    text = analysis.answer_text if said is analysis.answer else " ".join(one.text for one in said)
    return is_plausible(text, said, analysis.question)


def _lists_what_is_wanted(analysis: Analysis) -> bool:
    """Whether the answer is as many different items as the query wants, about, each of which may be one."""
    wanted = wanted_items(analysis.request.orders)
    distinct = len({claim.words for claim in analysis.claims})
    if wanted is None or not analysis.is_list or not wanted.number <= distinct <= _ABOUT * wanted.number:
        return False
    return all(_looks_asked_for(analysis, [claim]) for claim in analysis.claims)


def _of_refusal(analysis: Analysis) -> Judgement:
    if declines_harm(analysis):
        return Judgement(_DIRECT, "the answer declines what nobody should help with")
    if declines_rightly(analysis):
        return Judgement(_DECLINED_RIGHTLY, "what was asked for can't be told, and the answer says so")
    topic = analysis.topic
    known = sum(stem in analysis.ground for stem in topic) / len(topic) if topic and analysis.context else 0.0
    if known > _CLEAR:
        return Judgement(_REFUSED, "the answer says that it has none, though the context speaks of the topic")
    return Judgement(_REFUSED_RIGHTLY, "the answer says that it has none to give")
