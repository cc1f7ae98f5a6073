"""Connections that say so where the server hung up before it had answered anything."""

from typing import Any

import redis

_HUNG_UP = ("closed by server", "reset by peer")  # which of them, depends on what was under way


class ClosedAtOnceError(redis.ConnectionError):
    """The server took the connection and hung up on the first command, as one does that waits for TLS."""


def greeting(connection_class: type[Any]) -> type[Any]:
    """Make a connection class of the asyncio client that raises ClosedAtOnceError where it is hung up on at once."""

    class ConnectionThatGreets(connection_class):
        async def on_connect_check_health(self, *args: Any, **kwargs: Any) -> None:
            connection: Any = super()
            try:
                await connection.on_connect_check_health(*args, **kwargs)
            except redis.ConnectionError as error:
                raise _in_greeting(error) from error

    return ConnectionThatGreets


def greeting_sync(connection_class: type[Any]) -> type[Any]:
    """Make such a class of the blocking client's."""

    class BlockingConnectionThatGreets(connection_class):
        def on_connect_check_health(self, *args: Any, **kwargs: Any) -> None:
            connection: Any = super()
            try:
                connection.on_connect_check_health(*args, **kwargs)
            except redis.ConnectionError as error:
                raise _in_greeting(error) from error

    return BlockingConnectionThatGreets


def has_hung_up(error: BaseException) -> bool:
    return any(words in str(error).lower() for words in _HUNG_UP)


def _in_greeting(error: redis.ConnectionError) -> redis.ConnectionError:
    return ClosedAtOnceError(str(error)) if type(error) is redis.ConnectionError and has_hung_up(error) else error
