"""What is judged: one question, one answer, and what the agent knew."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interaction:
    """One exchange. `context` is what the agent was given to answer from; empty means that there was none."""

    user_query: str
    answer: str
    context: str = ""

    @property
    def has_context(self) -> bool:
        return bool(self.context.strip())
