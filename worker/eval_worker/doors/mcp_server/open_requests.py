"""Which requests of a client have been read and not been answered yet."""

from mcp.types import JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

_CANCELLED = "notifications/cancelled"


class OpenRequests:
    """Ids are compared as text: clients that send 7 may cancel "7"."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def __len__(self) -> int:
        return len(self._ids)

    def note_read(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            self._ids.add(str(message.id))
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            self._ids.discard(str((message.params or {}).get("requestId")))  # a cancelled request is never answered

    def note_written(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._ids.discard(str(message.id))
