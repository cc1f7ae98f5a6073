"""Connections that let go of a primary that is none any more."""

from typing import Any

import redis.asyncio
from redis.exceptions import ReadOnlyError


def leave_replicas(client: redis.asyncio.Redis) -> None:
    """Make each connection of the client end itself on READONLY.

    Behind a name or an address that moved, only a new connection finds the new primary. Nobody else may end it: another
    task could be sending on it at that moment.
    """
    pool: Any = client.connection_pool
    pool.connection_class = _leaving_replicas(pool.connection_class)


def _leaving_replicas(connection_class: type[Any]) -> type[Any]:
    class ConnectionToThePrimary(connection_class):
        async def read_response(self, *args: Any, **kwargs: Any) -> Any:
            connection: Any = super()
            try:
                return await connection.read_response(*args, **kwargs)
            except ReadOnlyError:
                await self.disconnect(nowait=True)
                raise

    return ConnectionToThePrimary
