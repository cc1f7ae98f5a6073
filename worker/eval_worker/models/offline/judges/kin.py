"""What is about the same though it shares no word: an answer and its query, a sentence and the others."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.cores.kinship import KIN, about, kinship
from eval_worker.models.offline.cores.ties import stems_of
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.word_vectors import is_english, subject_of

_KIN_TO_REST, _OF_CONTEXT, _FEWEST_SAID = 0.25, 0.5, 6
_FEWEST_ASKED = 3


def kinship_to_query(analysis: Analysis) -> float:
    """Return -1 to 1."""
    return kinship(analysis.topic, analysis.answer_stems)


def is_in_words_of_its_own(analysis: Analysis) -> bool:
    """Whether the answer is about what is asked, whatever its words; of words that are not known it may be."""
    return kinship_to_query(analysis) >= KIN or is_in_unknown_words(analysis)


def is_in_unknown_words(analysis: Analysis) -> bool:
    """Whether query and answer are in one script, of whose words none is known: Hindi's, say."""
    said, asked = analysis.answer_stems, analysis.topic
    if len(said) < _FEWEST_SAID or len(asked) < _FEWEST_ASKED or subject_of(asked).known or subject_of(said).known:
        return False
    return not any(map(str.isascii, asked)) and _script(asked) == _script(said)


def _script(stems: Iterable[str]) -> str:
    """The script of most of their first letters, by the first word of the names of those."""
    found = Counter(unicodedata.name(stem[0], "").split(" ")[0] for stem in stems)
    return max(sorted(found), key=found.__getitem__)


def is_of_what_the_context_tells(analysis: Analysis) -> bool:
    """Whether the answer, in another language than English, is about what the context is about.

    There are few forms of words that mean the same by which to hold it against the context.
    """
    said = analysis.answer_stems
    if len(said) < _FEWEST_SAID or is_english(said):
        return False
    there = stems_of(analysis.context)
    return about(there).kinship(about(said)) >= _OF_CONTEXT


def strangers(analysis: Analysis, unlinked: Iterable[Statement]) -> list[Statement]:
    """Return those of the claims without a common word that are about something else than query and answer."""
    claims = list(unlinked)
    if not claims or is_in_unknown_words(analysis):
        return []
    said = analysis.answer_stems
    subject = about(said.union(analysis.query.stems))
    found: list[Statement] = []
    for claim in claims:
        own = about(claim.stems)
        rest = subject.without(own) if said.issuperset(claim.stems) else subject
        if rest.kinship(own) < _KIN_TO_REST:
            found.append(claim)
    return found
