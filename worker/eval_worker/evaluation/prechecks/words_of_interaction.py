"""The three texts of an interaction with their words, each found at most once, and only when a check asks."""

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.text.words import Words


class WordsOfInteraction:
    """Plain slots, not `cached_property`: its lock costs a microsecond a time, and this is the hot path."""

    __slots__ = ("_answer", "_context", "_query", "interaction")

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self._query: Words | None = None
        self._answer: Words | None = None
        self._context: Words | None = None

    @property
    def query(self) -> Words:
        if self._query is None:
            self._query = Words(self.interaction.user_query)
        return self._query

    @property
    def answer(self) -> Words:
        if self._answer is None:
            self._answer = Words(self.interaction.answer)
        return self._answer

    @property
    def context(self) -> Words:
        if self._context is None:
            self._context = Words(self.interaction.context)
        return self._context
