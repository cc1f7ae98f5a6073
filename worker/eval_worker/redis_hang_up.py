"""Connections that are gone once they are left, whatever the server does about it."""

from typing import Any


def hanging_up(connection_class: type[Any]) -> type[Any]:
    """Make a connection class that drops its socket when it disconnects.

    TLS has a goodbye of its own, for which the event loop would have to go on, and bytes that a hung server does not
    take are waited for without end. Nobody needs either: what was answered has been read.
    """

    class ConnectionThatHangsUp(connection_class):
        async def disconnect(self, *args: Any, **kwargs: Any) -> None:
            writer, connection = self._writer, super()
            try:
                await connection.disconnect(*args, **kwargs)
            finally:
                if writer is not None:
                    writer.transport.abort()

    return ConnectionThatHangsUp
