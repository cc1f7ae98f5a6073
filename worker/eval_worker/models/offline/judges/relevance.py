"""Relevance: does the answer address the query?"""

import math
import re
from collections.abc import Sequence

from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.numerals import is_quantity
from eval_worker.evaluation.text.sentences import LIST_MARK, split_sentences
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import is_unspaced
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import calibrated
from eval_worker.models.offline.cores.kinship import about
from eval_worker.models.offline.judges.kin import is_in_unknown_words, kinship_to_query, strangers
from eval_worker.models.offline.judges.links import Links
from eval_worker.models.offline.judges.relevance_features import (
    SIGNS,
    of_summary,
    of_undecided,
    said_of_dialogue,
    said_of_text,
)
from eval_worker.models.offline.judges.relevance_rules import decided, orders_something_of_the_text
from eval_worker.models.offline.judges.reworking import reworks
from eval_worker.models.offline.judges.unnamed_topic import is_made_up, lists_things
from eval_worker.models.offline.reading.announcement import claims_nothing
from eval_worker.models.offline.reading.dialogue import Dialogue, topical
from eval_worker.models.offline.reading.own_words import asks_for_other_words
from eval_worker.models.offline.reading.spans import named
from eval_worker.models.offline.reading.vocabulary import (
    ABOUT_JUDGING,
    EMPTY_WORDS,
    PLEASANTRIES,
    POINTS_BACK,
    SAYS_OF_ITSELF,
    SMALL_TALK,
)

_ENOUGH = 0.65  # nobody repeats every word of a question
_BENT = 0.6  # a word or two of the query tell more than the others after them
_HIGHEST, _LIST, _MADE_UP, _IN_OTHER_WORDS = 0.97, 0.45, 0.45, 0.85
_UNTELLABLE = 0.45
_UNRELATED, _RELATED = 0.18, 0.47  # by kinship
_MOST_TO_TOUCH, _LEAST_TO_TOUCH = 6, 3  # a long query says much that an answer need not, a short one least of all
_DRIFT_COST = 0.45
_NOTHING_NEW = 0.6
_KIND_MISSED = 0.7
_MOST_MISSING = 3
_FEW, _MOST = 0.34, 0.67
_WORDS_OF_TITLE = 3  # of a context: all of it is about that
_MOSTLY_IN_TEXT, _MOSTLY_BORNE_OUT = 0.5, 0.5
_SPEAKS_OF_SOMETHING, _OFF_TOPIC = 3, 0.4
_LAID_OUT = re.compile(
    rf"^[ \t]*(?:(?:{LIST_MARK}|#{{1,6}})[ \t]+\S|\||\$\$|>|"
    r"\*\*[^*\n]{1,60}\*\*:?[ \t]*$|[^\W\d][^.!?;:\n]{0,40}$).*$",
    re.MULTILINE,
)
_SCANNED_WORDS, _SCANNED = 40, 2000
_ASKS_WHAT_IT_IS = re.compile(
    r"\W*(?:what(?:['’]s| (?:is|are|does|do)\b)|who (?:is|was)|define|was (?:ist|sind|bedeutet)|"
    r"qu['’]est-ce que?|qué es)\b",
    re.IGNORECASE,
)
_SAYS_WHAT_IT_IS = re.compile(
    r"(?:an?|the|it|they|this|that|these|one of|in short|ein|eine|der|die|das|es|c['’]est|un|une|una|es)\b",
    re.IGNORECASE,
)
_FITS_ANYTHING = SMALL_TALK | EMPTY_WORDS | PLEASANTRIES | SAYS_OF_ITSELF | ABOUT_JUDGING
_FEW_STEMS, _LITTLE_OF_ITS_OWN = 3, 0.1
_STEP = 0.05  # the features tell apart no more than raters do, who have a dozen levels at most


def judge_relevance(analysis: Analysis) -> Judgement:
    rule = decided(analysis)
    if rule is not None:
        return rule
    features = of_undecided(analysis)
    if features is None:
        return _of_topic_or_text(analysis)
    score = calibrated("relevance").score(features)
    if analysis.dialogue is None:
        return _of_summary(analysis, score, features["key_words"])
    return _of_reply(analysis, analysis.dialogue, score, features["specific"])


def _of_topic_or_text(analysis: Analysis) -> Judgement:
    """An order that has no word of the text may be about all of it: "Put the key facts into a table."."""
    found = _of_topic(analysis)
    if found.score >= _ENOUGH or not orders_something_of_the_text(analysis):
        return found
    features = of_summary(analysis)
    of_text = _of_summary(
        analysis, calibrated("relevance").score(dict.fromkeys(SIGNS, 0.0) | features), features["key_words"]
    )
    return max(found, of_text, key=lambda opinion: opinion.score)


def _of_summary(analysis: Analysis, score: float, key_words: float) -> Judgement:
    said = said_of_text(analysis)
    in_the_text = sum(stem in analysis.salience.stems for stem in said) / (len(topical(analysis.all_said)) or 1)
    score = _in_steps(score * min(1.0, in_the_text / _MOSTLY_IN_TEXT))
    if in_the_text < _MOSTLY_IN_TEXT:
        return Judgement(score, "most of the answer is not about the text")
    if key_words > _MOST:
        return Judgement(score, "the answer says what the text is chiefly about")
    missing = analysis.salience.missing(said, _MOST_MISSING)
    surface = {stem: word for one in reversed(analysis.context) for stem, word in one.surface.items()}
    words = named([surface[stem] for stem in missing])
    return Judgement(score, f"of what the text is chiefly about the answer lacks {words}")


def _of_reply(analysis: Analysis, dialogue: Dialogue, score: float, specific: float) -> Judgement:
    taken_up = said_of_dialogue(analysis, dialogue) & dialogue.all
    if not taken_up and len(topical(analysis.answer)) >= _SPEAKS_OF_SOMETHING:
        return Judgement(_in_steps(score * _OFF_TOPIC), "the reply speaks of something else than the conversation")
    if not taken_up:
        return Judgement(_in_steps(score), "the reply would fit any conversation")
    little = ", and says little of it" if specific < _FEW else ""
    words = {stem: word for one in analysis.answer for stem, word in one.surface.items() if stem in taken_up}
    return Judgement(_in_steps(score), f"the reply takes up {named(list(words.values()))} of the conversation{little}")


def _in_steps(score: float) -> float:
    return _STEP * round(score / _STEP)


def _of_topic(analysis: Analysis) -> Judgement:
    coverage, missing = _coverage(analysis, analysis.topic)
    if coverage < _ENOUGH and len(analysis.topic) < len(analysis.whole_topic):
        coverage = max(coverage, _coverage(analysis, analysis.whole_topic)[0])
    least = _least(analysis) if coverage < _ENOUGH else 0.0
    score = least + (_HIGHEST - least) * min(1.0, coverage / _ENOUGH) ** _BENT
    reason = _of_coverage(coverage, missing, is_told=not least)
    strays = stray_sentences(analysis)
    if strays:
        score *= 1 - _DRIFT_COST * len(strays) / (len(strays) + len({claim.words for claim in analysis.claims}))
        reason += f"; off topic: {strays[0]!r}"
    if _only_repeats(analysis) and not reworks(analysis):
        score *= _NOTHING_NEW
        reason += "; it only says again what the query says"
    elif not has_what_was_asked(analysis):
        score *= _KIND_MISSED
        reason += f"; the query asks for {analysis.question.asks}, and the answer has none"
    return Judgement(score, reason)


def _least(analysis: Analysis) -> float:
    """What an answer is worth that has none of the words asked about.

    One that lists, makes up or rewords things need not name its topic, and others may be about it in their own words.
    """
    unnamed = _LIST if lists_things(analysis) or _is_told_in_other_words(analysis) else 0.0
    if not analysis.context and (is_made_up(analysis) or _may_define(analysis)):
        unnamed = max(unnamed, _MADE_UP)
    if is_in_unknown_words(analysis):
        unnamed = max(unnamed, _UNTELLABLE)
    kin = kinship_to_query(analysis)
    return max(unnamed, _IN_OTHER_WORDS * min(1.0, max(0.0, kin - _UNRELATED) / (_RELATED - _UNRELATED)))


def _may_define(analysis: Analysis) -> bool:
    """Whether the query asks what something is that is known to nobody here, and the answer reads like what it is.

    A definition need not name its term: "A system that runs containers."
    """
    if analysis.dialogue is not None or about(analysis.topic).known:
        return False
    asked, said = analysis.interaction.user_query[:_SCANNED], analysis.answer_text.lstrip()
    return _ASKS_WHAT_IT_IS.match(asked) is not None and _SAYS_WHAT_IT_IS.match(said) is not None


def _is_told_in_other_words(analysis: Analysis) -> bool:
    """Whether no word of the query can be looked for: the context has none, and bears the answer out."""
    if not analysis.support:
        return False
    title = analysis.context[0].stems if len(analysis.context[0].stems) <= _WORDS_OF_TITLE else ()
    if any(stem in analysis.ground and stem not in title for stem in analysis.topic):
        return False
    if asks_for_other_words(analysis.interaction.user_query):
        return True
    return math.fsum(one.score for one in analysis.support) >= _MOSTLY_BORNE_OUT * len(analysis.support)


def _of_coverage(coverage: float, missing: Sequence[str], *, is_told: bool) -> str:
    if coverage >= _ENOUGH or not missing:
        return f"the answer speaks of what the query asks{f', but not {named(missing)}' if missing else ''}"
    words = f"the answer says nothing of {named(missing)}"
    return words if is_told else f"{words}, which it need not in words of its own"


def _only_repeats(analysis: Analysis) -> bool:
    """Whether hardly a word of the answer is its own, which is enough only where the query names the answer.

    A name or a number is one; what any text may be filled up with is none.
    """
    if analysis.question.asks in {Asks.POLAR, Asks.CHOICE}:
        return False
    said, own = analysis.answer_stems, analysis.answer_stems - analysis.query.surface.keys()
    if _names_of_its_own(analysis):
        return False
    if not own or len(said) <= _FEW_STEMS or any(one.numbers - analysis.query.numbers for one in analysis.answer):
        return not own
    telling = own - _FITS_ANYTHING
    if any(not telling.isdisjoint(one.names) for one in analysis.answer):
        return False
    return len(telling) < _LITTLE_OF_ITS_OWN * len(said)


def _names_of_its_own(analysis: Analysis) -> bool:
    """Whether words of the query make a name in answer and context: City Airport is an airport of a city."""
    names = {name for one in analysis.answer for name in one.names} - analysis.query.names
    return (
        bool(names)
        and len(names) < len(analysis.answer_stems)
        and not names.isdisjoint(name for one in analysis.context for name in one.names)
    )


def _coverage(analysis: Analysis, of: Sequence[str]) -> tuple[float, list[str]]:
    """The share of the query's topic that the answer touches, and the words that it does not."""
    topic = [stem for stem in of if stem not in SMALL_TALK] or of
    links = Links(analysis)
    found = {stem: links.to(stem) for stem in topic}
    missing = [analysis.query.surface.get(stem, stem) for stem, share in found.items() if not share]
    to_touch = min(len(topic), _MOST_TO_TOUCH, max(_LEAST_TO_TOUCH, len(analysis.answer_stems)))
    if any(map(is_unspaced, topic)):  # the pieces overlap, and most of them are no words
        to_touch = min(to_touch, max(2, len(topic) // 4))
    return min(1.0, math.fsum(found.values()) / to_touch), missing


def stray_sentences(analysis: Analysis) -> list[str]:
    """Sentences that share no word with the query, the context or the rest of the answer."""
    if len(analysis.claims) + len(analysis.loose) < 2 or is_made_up(analysis):  # noqa: PLR2004
        return []  # one sentence is judged by its coverage, and what is made up speaks of what it likes
    items = frozenset(split_sentences("\n".join(_LAID_OUT.findall(analysis.texts[-1]))))
    telling = (one for one in (*analysis.unlinked, *analysis.unlinked_loose) if not claims_nothing(one))
    strays = (one for one in telling if one.text not in items and not POINTS_BACK.match(one.text))
    return [one.text for one in strangers(analysis, strays)]


_QUANTITIES = word_set("one none no many several few free hundred thousand million half")
_TIMES = word_set(
    """
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    today tomorrow yesterday now never always soon when after before during until
    hour hours day days week weeks month months year years monat monate monaten woche wochen tag tage tagen jahr jahre
    mois semaine semaines jour jours an ans mes meses semana semanas día días año años settimana mese mesi giorni anni
    """
)


def has_what_was_asked(analysis: Analysis) -> bool:
    """Whether something of the kind that the question asks for stands in the answer."""
    asks = analysis.question.asks
    words = analysis.answer_words
    # Number words and months are known in few languages: most others get the benefit of the doubt.
    if asks not in {Asks.NUMBER, Asks.DATE} or 2 * sum(map(str.isascii, words)) < len(words):
        return True
    if any(one.numbers for one in analysis.answer) or any(map(str.isdigit, analysis.answer_text)):
        return True
    if asks is Asks.DATE:
        return not _TIMES.isdisjoint(words)
    return not _QUANTITIES.isdisjoint(words) or any(map(is_quantity, words[:_SCANNED_WORDS]))
