"""Connections that let go of a primary that is none any more."""

from typing import Any

from redis.exceptions import ReadOnlyError


def leaving_replicas(connection_class: type[Any]) -> type[Any]:
    """Make a connection class that ends itself on READONLY.

    Behind a name or an address that moved, only a new connection finds the new primary. Nobody else may end it: another
    task could be sending on it at that moment.
    """

    class ConnectionToThePrimary(connection_class):
        async def read_response(self, *args: Any, **kwargs: Any) -> Any:
            connection: Any = super()
            try:
                return await connection.read_response(*args, **kwargs)
            except ReadOnlyError:
                await self.disconnect(nowait=True)
                raise

    return ConnectionToThePrimary
