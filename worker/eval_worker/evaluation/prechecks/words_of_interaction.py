"""The three texts of an interaction with their words, and its question: each is found at most once."""

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.text.question import Question, read_question_of
from eval_worker.evaluation.text.words import Words


class WordsOfInteraction:
    """What every check asks for is found at once; the context and the question are for the few that need them.

    Plain slots, not `cached_property`: its lock costs a microsecond a time, and this is the hot path.
    """

    __slots__ = ("_context", "_question", "answer", "interaction", "query")

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self.query = Words(interaction.user_query)
        self.answer = Words(interaction.answer)
        self._context: Words | None = None
        self._question: Question | None = None

    @property
    def context(self) -> Words:
        if self._context is None:
            self._context = Words(self.interaction.context)
        return self._context

    @property
    def question(self) -> Question:
        if self._question is None:
            self._question = read_question_of(self.interaction.user_query, self.query)
        return self._question
