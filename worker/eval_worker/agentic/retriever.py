"""Where conversations come from: the one thing that a user of the library writes."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from eval_worker.agentic.dataset import Dataset, StreamedBatch


class Retriever(ABC):
    """Loads the conversations to be evaluated. What `Agentic.run` does not know itself it passes on as keywords."""

    def __init__(self, **kwargs: Any) -> None:
        self.kwargs = kwargs

    @abstractmethod
    def load_dataset(self) -> Iterable[Dataset] | Iterable[StreamedBatch]:
        """Return all conversations, or an iterator that yields them one by one, or one over their interactions.

        An iterator is read as far as there is room to judge, so that what it yields need never be all in memory.
        """
