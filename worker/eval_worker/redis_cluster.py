"""The client of a Redis Cluster, kept from asking a dead node for ever."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import redis.asyncio
from redis._parsers.commands import AsyncCommandsParser
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from eval_worker.redis_greeting import greeting
from eval_worker.redis_hang_up import hanging_up

_READS = {"XREAD", "XREADGROUP"}
_OF_A_FAMILY = {"XGROUP CREATE", "XINFO GROUPS"}
_SCRIPTS = {"EVAL", "EVALSHA"}
_READ_ONLY_SCRIPTS = {"EVAL_RO", "EVALSHA_RO"}
_WITHOUT_ARGUMENTS = 3  # the command, the script, and the number of its keys


class ClusterClient(redis.asyncio.RedisCluster):
    """Finds the node of every command that we send by itself.

    Where a command's keys have no fixed place the library asks a node for them: a round trip more for every read, and
    always to the same node, for ever, even if that node is gone and the one with our streams is well.
    """

    def __init__(self, **options: Any) -> None:
        cluster: Any = super()  # its options are typed in part only
        cluster.__init__(**options)
        connection_class = _known_to_break(greeting(hanging_up(self.connection_kwargs["connection_class"])))
        self.connection_kwargs["connection_class"] = connection_class
        for node in self.nodes_manager.startup_nodes.values():
            node.connection_class = connection_class
        self.commands_parser = _CommandsOfAnyNode(self.get_primaries)

    async def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        key = _moving_key(args)
        if key is not None and "target_nodes" not in kwargs:
            await self.initialize()
            kwargs["target_nodes"] = self.get_node_from_key(key)
        try:
            return await super().execute_command(*args, **kwargs)
        except ResponseError as error:
            if "Protocol error" in str(error):  # the server hangs up after it, and the pool would hand the rest out
                await self.aclose()
            raise

    def get_node(self, *args: Any, **kwargs: Any) -> Any:
        """Look a node up; a slot on its way to one that has just joined leads to a name that is not known yet.

        Raises:
            RedisConnectionError: there is none, upon which the library looks at the cluster anew.
        """
        node = super().get_node(*args, **kwargs)
        if node is None:
            raise RedisConnectionError("the cluster sends us to a node that it has not told us of yet")
        return node


class _CommandsOfAnyNode(AsyncCommandsParser):
    """Learns what commands there are from any node. The library asks one, without which it would not begin at all."""

    __slots__ = ("_primaries",)

    def __init__(self, primaries: Callable[[], Sequence[Any]]) -> None:
        super().__init__()
        self._primaries = primaries

    async def initialize(self, node: Any = None) -> None:
        """Ask this one, and if it is gone the others.

        Raises:
            RedisError, OSError: none has answered.
        """
        try:
            await super().initialize(node)
        except (RedisConnectionError, RedisTimeoutError, OSError):
            for other in self._primaries():
                if other is not node:
                    with suppress(RedisConnectionError, RedisTimeoutError, OSError):
                        return await super().initialize(other)
            raise


def _known_to_break(connection_class: type[Any]) -> type[Any]:
    """Where one connection fails the library closes all, those on which other tasks are just sending too.

    They would stumble over a writer that is None; to them it is a broken connection like any other.
    """

    class ClusterConnection(connection_class):
        async def _send_packed_command(self, command: Iterable[bytes]) -> None:
            if self._writer is None:
                raise RedisConnectionError("the connection was closed while a command was on its way")
            sending: Any = super()
            await sending._send_packed_command(command)  # noqa: SLF001 (there is no public step between these two)

    return ClusterConnection


def _moving_key(command: Sequence[Any]) -> str | None:
    """The first key of a command whose keys have no fixed place, or that goes to any node as far as the library knows.

    All keys of a command of ours lie in one slot. A script without keys is about its first argument, and goes where
    that lies: any other node may be gone.
    """
    name = command[0]
    if name in _OF_A_FAMILY:
        return command[1]
    if name in _READ_ONLY_SCRIPTS:
        return command[3]
    if name in _SCRIPTS and command[2] == 0 and len(command) > _WITHOUT_ARGUMENTS:
        return command[3]
    if name in _READS:
        return command[len(command) - 1 - command[::-1].index(b"STREAMS") + 1]
    return None
