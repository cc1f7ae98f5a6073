"""Where conversations come from: the one thing that a user of the library writes."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from eval_worker.agentic.dataset import Dataset, StreamedBatch

Loaded = TypeVar("Loaded", Dataset, StreamedBatch)


class Retriever(ABC):
    """Loads the conversations to be evaluated. What `Agentic.run` does not know itself it passes on as keywords."""

    def __init__(self, **kwargs: Any) -> None:
        self.kwargs = kwargs

    @abstractmethod
    def load_dataset(self) -> Iterable[Dataset] | Iterable[StreamedBatch]:
        """Return all conversations, or an iterator that yields them one by one, or one over their interactions.

        An iterator is read as far as there is room to judge, so that what it yields need never be all in memory.
        """


def load_conversations(retriever: Retriever) -> Iterable[Dataset] | Iterable[StreamedBatch]:
    """Return what the retriever loads: a list once all of it is known to be usable, an iterator to be seen on the way.

    Raises:
        ValueError: it loaded, or yields, something else than conversations.
    """
    loaded = retriever.load_dataset()
    # A model can be iterated, too, but over its fields.
    if not isinstance(loaded, Iterable) or isinstance(loaded, BaseModel):  # pyright: ignore[reportUnnecessaryIsInstance] (callers need not be typed)
        raise ValueError(f"load_dataset() returned {_named(loaded)}: it must be a list or an iterator of Dataset")  # noqa: TRY004 (as the others)
    conversations = map(_checked, cast("Iterable[Dataset]", loaded))
    return list(conversations) if isinstance(loaded, list | tuple) else conversations


def _checked(one: Loaded) -> Loaded:
    if isinstance(one, Dataset | StreamedBatch):  # pyright: ignore[reportUnnecessaryIsInstance] (as above)
        return one
    remedy = "; Dataset.model_validate() makes one of it" if isinstance(one, dict) else ""
    raise ValueError(f"load_dataset() gave {_named(one)} where a Dataset or a StreamedBatch was expected{remedy}")


def _named(loaded: object) -> str:
    """Name its kind; what it holds may be long, or secret."""
    return "None" if loaded is None else f"a value of type {type(loaded).__name__}"
