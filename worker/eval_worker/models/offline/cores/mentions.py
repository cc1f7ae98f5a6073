"""Sentences that name what is asked about, and tell nothing of it: "Many people wonder about cats these days."."""

from eval_worker.evaluation.text.short_answers import is_refusal
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.cores.ties import FEW_WORDS, FITS_ANYTHING, Matter, Stems, refers_back
from eval_worker.models.offline.reading.everyday_words import EVERYDAY
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import ABOUT_JUDGING, PLEASANTRIES, SAID_OF_TEXTS

_SAID_OF_TOPICS = word_set(
    "explanation overview introduction guide account keyword keywords tag insight saying attention days"
)
_FITS_ANY_TEXT = FITS_ANYTHING | ABOUT_JUDGING | SAID_OF_TEXTS | PLEASANTRIES | frozenset(map(stem, _SAID_OF_TOPICS))
_MOST_NAMED, _MOST_OWN = 4, 2  # words; a text that reworks its query has more of it
_LEADS_IN, _LABELS_OR_DATA = ":：", frozenset(":[]{}|`=")
_DECIDES = word_set("yes no yeah nope")
_GIVES_EXAMPLES = word_set("example examples instance")
_CONDITIONS = word_set("if unless")  # "You won't need a permit if you go for the day": what holds when
_SCANNED = 400


def only_mentions(one: Statement, matter: Matter, asked: Stems) -> bool:
    """Whether all that it has beside words of the query fits any text, with no word of the context.

    `asked` are all stems of the query. Without a context a few everyday words fit any text as well.
    """
    named = [stem for stem in one.subjects if stem in asked]
    if not 0 < len(named) <= _MOST_NAMED or one.numbers or not one.names <= asked or _belongs_to_others(one):
        return False
    others = [stem for stem in one.stems if stem not in asked and one.surface[stem] not in _DECIDES]
    if not others:  # a whole sentence may be the answer, and a label may tell what is what
        rest = {*one.words}.difference(one.surface.values())
        return rest <= _DECIDES and _LABELS_OR_DATA.isdisjoint(one.text)
    own = [stem for stem in others if stem not in _FITS_ANY_TEXT]
    given = matter.given if len(matter.given) <= FEW_WORDS else matter.given - EVERYDAY
    if one.words[0] in _DECIDES or len(own) == len(others) or not given.isdisjoint(own):
        return False
    if not (_GIVES_EXAMPLES.isdisjoint(one.words) and _CONDITIONS.isdisjoint(one.words)):
        return False
    return bool(given) or (len(own) <= _MOST_OWN and EVERYDAY.issuperset(own))


def _belongs_to_others(one: Statement) -> bool:
    """Whether it belongs to what stands before or behind it, or declines."""
    return refers_back(one) or one.text[-1] in _LEADS_IN or is_refusal(fold(one.text[:_SCANNED]))
