"""Whether two clauses that speak of the same affirm the same."""

from eval_worker.models.offline.reading.clauses import Clause
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import OPPOSITES

_OPPOSITES = {stem(word): frozenset(map(stem, others)) for word, others in sorted(OPPOSITES.items())}


def opposites_of(one: str) -> frozenset[str]:
    """The stems that say the contrary of a stem."""
    return _OPPOSITES.get(one, frozenset())


def opposed_words(mine: Clause, theirs: Clause) -> tuple[str, str] | None:
    """A word of the one clause and its opposite in the other."""
    for one, surface in mine.stems.items():
        for opposite in sorted(opposites_of(one)):
            if opposite in theirs.stems and one not in theirs.stems and opposite not in mine.stems:
                return surface, theirs.stems[opposite]
    return None


def agree(mine: Clause, theirs: Clause) -> bool:
    """Each of these turns a clause round: a denial, an opposite, an opposite's two sides ("B is smaller than A")."""
    opposed = opposed_words(mine, theirs) is not None
    turned = opposed and not turned_round(mine, theirs)
    return (mine.negated == theirs.negated) != turned


def turned_round(mine: Clause, theirs: Clause) -> bool:
    """Whether the first and the last word that both have stand the other way round."""
    shared = [one for one in mine.stems if one in theirs.stems]
    if len(shared) < 2:  # noqa: PLR2004  # a pair
        return False
    order = {one: position for position, one in enumerate(theirs.stems)}
    return order[shared[0]] > order[shared[-1]]
