"""An event on its way to the stream: the trace that it belongs to goes along, in fields beside the payload."""

from typing import Protocol

from eval_worker.trace_context import TraceContext
from eval_worker.value_object import value_object


class Sending(Protocol):
    """One event that is being sent."""

    @property
    def fields(self) -> tuple[str, ...]:
        """What goes beside the payload: name, value, …"""
        ...

    def sent(self, stream_id: str) -> None: ...

    def failed(self, error: BaseException) -> None:
        """It was refused, or nobody knows whether it was taken."""
        ...


class SendObserver(Protocol):
    def start(self, context: TraceContext | None = None) -> Sending:
        """Begin to send an event, on behalf of the trace that its sender named."""
        ...


@value_object
class PassedOn:
    """A trace that is not ours to write, but goes on."""

    fields: tuple[str, ...] = ()

    def sent(self, stream_id: str) -> None: ...

    def failed(self, error: BaseException) -> None: ...


_WITHOUT_TRACE = PassedOn()


class Untraced:
    """Sends without spans of its own."""

    def start(self, context: TraceContext | None = None) -> Sending:
        return _WITHOUT_TRACE if context is None else PassedOn(context.stream_fields)


UNTRACED = Untraced()
