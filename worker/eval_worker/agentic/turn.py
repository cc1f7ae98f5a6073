"""One interaction on its way to the judge, and which conversation it is a turn of."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from eval_worker.agentic.dataset import Batch, Dataset, SessionMetadata, StreamedBatch
from eval_worker.evaluation.interaction import Interaction


@dataclass(frozen=True, slots=True)
class Turn:
    """`conversation` is equal for all turns of one conversation, and for no others."""

    conversation: Hashable
    metadata: SessionMetadata
    batch: Batch

    def as_interaction(self) -> Interaction:
        batch = self.batch
        return Interaction(batch.query, batch.assistant, self.metadata.context or "", batch.ground_truth_assistant)


def turns_of(conversations: Iterable[Dataset] | Iterable[StreamedBatch]) -> Iterator[Turn]:
    """Yield the turns of conversations, holding no more than one conversation.

    Each dataset is a conversation of its own, even where two have the same session. Interactions that come one by one
    make up one for each session and assistant.
    """
    for number, one in enumerate(conversations):
        if isinstance(one, StreamedBatch):
            session = (one.metadata.session_id, one.metadata.assistant_id)
            yield Turn(session, one.metadata, one.batch)
        else:
            metadata = one.metadata
            for batch in one.conversation:
                yield Turn(number, metadata, batch)
