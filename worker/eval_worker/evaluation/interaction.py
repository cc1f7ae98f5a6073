"""What is judged: one question, one answer, and what the agent knew."""

from eval_worker.value_object import value_object


@value_object
class Interaction:
    """One exchange.

    `context` is what the agent was given to answer from; empty means that there was none. `reference` is what a right
    answer says; empty means that there is none.
    """

    user_query: str
    answer: str
    context: str = ""
    reference: str = ""

    @property
    def has_context(self) -> bool:
        return bool(self.context.strip())

    @property
    def has_reference(self) -> bool:
        return bool(self.reference.strip())
