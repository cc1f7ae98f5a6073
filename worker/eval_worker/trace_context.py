"""The trace that an event belongs to, as W3C Trace Context writes it: in HTTP headers, in fields of a stream entry."""

import re
from collections.abc import Sequence

from eval_worker.value_object import value_object

TRACEPARENT = "traceparent"
TRACESTATE = "tracestate"
LONGEST_TRACEPARENT = 256  # a later version than 00 may say more
LONGEST_TRACESTATE = 512
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]+)?")
_THIS_VERSION = re.compile(r"00-[^-]+-[^-]+-[^-]+")


@value_object
class TraceContext:
    """`traceparent` is well-formed; `tracestate` is what the tracing systems on the way have to say, or empty."""

    traceparent: str
    tracestate: str = ""

    @property
    def stream_fields(self) -> tuple[str, ...]:
        """Name, value, … as they stand in the entry beside the payload."""
        state = (TRACESTATE, self.tracestate) if self.tracestate else ()
        return (TRACEPARENT, self.traceparent, *state)


def read_trace_context(traceparents: Sequence[bytes], tracestates: Sequence[bytes]) -> TraceContext | None:
    """Read every value that the field or header has; what is malformed, or there twice, counts as not there."""
    if len(traceparents) != 1 or len(traceparents[0]) > LONGEST_TRACEPARENT:
        return None
    traceparent = _printable(traceparents[0])
    if not _TRACEPARENT.fullmatch(traceparent):
        return None
    if traceparent.startswith("00") and not _THIS_VERSION.fullmatch(traceparent):
        return None
    tracestate = _printable(b",".join(tracestates))
    return TraceContext(traceparent, tracestate if len(tracestate) <= LONGEST_TRACESTATE else "")


def _printable(raw: bytes) -> str:
    """Return the text, or nothing where it is more than printable ASCII."""
    text = raw.decode("ascii", errors="replace")
    return text if text.isascii() and text.isprintable() else ""
