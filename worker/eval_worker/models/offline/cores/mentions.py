"""Sentences that name what is asked about, and tell nothing of it: "Many people wonder about cats these days."."""

from collections import Counter
from collections.abc import Sequence

from eval_worker.evaluation.text.short_answers import is_refusal
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.cores.ties import FEW_WORDS, FITS_ANYTHING, TELLS_LITTLE, Matter, Stems, refers_back
from eval_worker.models.offline.reading.everyday_words import EVERYDAY
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import ABOUT_JUDGING, PLEASANTRIES, SAID_OF_TEXTS
from eval_worker.models.offline.reading.word_vectors import Subject, subject_of

_SAID_OF_TOPICS = word_set(
    "explanation overview introduction guide account keyword keywords tag insight saying attention days"
)
_FITS_ANY_TEXT = FITS_ANYTHING | ABOUT_JUDGING | SAID_OF_TEXTS | PLEASANTRIES | frozenset(map(stem, _SAID_OF_TOPICS))
_MOST_NAMED, _MOST_OWN = 4, 2  # words; a text that reworks its query has more of it
_LEADS_IN, _LABELS_OR_DATA = ":：", frozenset(":[]{}|`=")
_DECIDES = word_set("yes no yeah nope")
_GIVES_EXAMPLES = word_set("example examples instance")
_CONDITIONS = word_set("if unless")  # "You won't need a permit if you go for the day": what holds when
_KIN, _FEWEST_KNOWN = 0.22, 3  # of less the company may be chance
_SCANNED = 400


def mentions_in(statements: Sequence[Statement], matter: Matter, asked: Stems) -> set[int]:
    """Return the positions of those that have no word of the context beside those of the query, and tell nothing.

    What they have fits any text, or is about something else than the query and the other sentences. `asked` are all
    stems of the query.
    """
    beside = {place: _beside_the_query(one, matter, asked) for place, one in enumerate(statements)}
    may_be = {place: own for place, own in beside.items() if own is not None}
    if not may_be:
        return set()
    times = Counter(stem for one in {one.words: one for one in statements}.values() for stem in one.subjects)
    said = subject_of({*times, *matter.asked} - TELLS_LITTLE)
    found = {place for place, own in may_be.items() if _fits_any_text(statements[place], own, matter, asked)}
    alone = {place: own for place, own in may_be.items() if all(times[stem] <= 1 for stem in own)}
    return found | {place for place, own in alone.items() if _tells_nothing(statements[place], own, said)}


def _beside_the_query(one: Statement, matter: Matter, asked: Stems) -> list[str] | None:
    """What it has beside words of the query that it names; None where it tells something."""
    if one.numbers or asked.isdisjoint(one.subjects) or not one.names <= asked or _belongs_to_others(one):
        return None
    others = [stem for stem in one.stems if stem not in asked and one.surface[stem] not in _DECIDES]
    given = matter.given if len(matter.given) <= FEW_WORDS else matter.given - EVERYDAY
    if others and (one.words[0] in _DECIDES or not given.isdisjoint(_own(others))):
        return None
    return others if _GIVES_EXAMPLES.isdisjoint(one.words) and _CONDITIONS.isdisjoint(one.words) else None


def _own(others: Sequence[str]) -> list[str]:
    return [stem for stem in others if stem not in _FITS_ANY_TEXT]


def _fits_any_text(one: Statement, others: Sequence[str], matter: Matter, asked: Stems) -> bool:
    """Without a context a few everyday words fit any text as well."""
    if sum(stem in asked for stem in one.subjects) > _MOST_NAMED:
        return False
    if not others:  # a whole sentence may be the answer, and a label may tell what is what
        rest = {*one.words}.difference(one.surface.values())
        return rest <= _DECIDES and _LABELS_OR_DATA.isdisjoint(one.text)
    own = _own(others)
    return len(own) < len(others) and (bool(matter.given) or (len(own) <= _MOST_OWN and EVERYDAY.issuperset(own)))


def _tells_nothing(one: Statement, others: Sequence[str], said: Subject) -> bool:
    """Whether it only asks, names it all twice, or is about something else than what is `said`, itself included."""
    named = [stem for stem in one.subjects if stem not in others]
    if one.text.split(maxsplit=1)[0][-1] in _LEADS_IN or len(named) >= _MOST_NAMED:  # "Title: the sea at night"
        return False
    if one.is_question and len(others) <= _MOST_OWN:
        return True
    if others and all(one.words.count(one.surface[stem]) > 1 for stem in named):
        return True
    subject = subject_of(stem for stem in others if stem not in TELLS_LITTLE)
    rest = said.without(subject)
    is_known = subject.known > 0 and rest.known >= _FEWEST_KNOWN and len(_own(others)) > _MOST_OWN
    return is_known and rest.kinship(subject) < _KIN


def _belongs_to_others(one: Statement) -> bool:
    """Whether it belongs to what stands before or behind it, or declines."""
    return refers_back(one) or one.text[-1] in _LEADS_IN or is_refusal(fold(one.text[:_SCANNED]))
