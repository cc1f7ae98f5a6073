"""What can be had without a judge: a judge that does not order answers better than these is worth nothing."""

from collections.abc import Callable, Sequence

from eval_worker.event import InteractionPayload
from eval_worker.quality.rouge import rouge_l, rouge_n, rouge_words

CONSTANT = "constant"
_NEEDS_CONTEXT = "answer_overlap"


class _Texts:
    """The words of one interaction, cut once for all baselines. The reference is the context, else the query."""

    def __init__(self, interaction: InteractionPayload) -> None:
        self.characters = len(interaction.answer)
        self.answer = rouge_words(interaction.answer)
        self.query = rouge_words(interaction.user_query)
        self.context = rouge_words(interaction.context or "")
        self.reference = self.context or self.query


_BASELINES: dict[str, Callable[[_Texts], float]] = {
    "answer_overlap": lambda texts: _share(texts.answer, texts.context),
    "query_overlap": lambda texts: _share(texts.query, texts.answer),
    "length": lambda texts: texts.characters,
    "brevity": lambda texts: -texts.characters,
    "rouge_1": lambda texts: rouge_n(texts.answer, texts.reference, 1),
    "rouge_2": lambda texts: rouge_n(texts.answer, texts.reference, 2),
    "rouge_l": lambda texts: rouge_l(texts.answer, texts.reference),
}
BASELINES = (*_BASELINES, CONSTANT)


def baseline_scores(interactions: Sequence[InteractionPayload]) -> dict[str, list[float]]:
    """Score every answer by every baseline; one that has nothing to go by in any of them is left out.

    `answer_overlap`: share of the answer's distinct words that stand in the context. `query_overlap`: share of the
    query's in the answer. `length`: characters; `brevity`: the fewer, the better. `rouge_*`: F1 against the context,
    against the query where there is none. `constant`: the same for all.
    """
    texts = [_Texts(interaction) for interaction in interactions]
    found = {name: [score(each) for each in texts] for name, score in _BASELINES.items()}
    if not any(each.context for each in texts):
        del found[_NEEDS_CONTEXT]
    return found | {CONSTANT: [0.0] * len(texts)}


def _share(words: Sequence[str], others: Sequence[str]) -> float:
    distinct = set(words)
    return len(distinct.intersection(others)) / len(distinct) if distinct else 0.0
