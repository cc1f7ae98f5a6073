"""A Lua script that lies beside its caller, run by its hash."""

import hashlib
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any, TypeVar

from redis.asyncio import Redis
from redis.exceptions import NoScriptError

Argument = str | bytes | int
T = TypeVar("T")

MOST_IN_A_CALL = 512  # entries: some 10 ms, in which the server serves nobody else


def in_calls(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Divide what a script is to work through into as much as one call may be given."""
    return (items[start : start + MOST_IN_A_CALL] for start in range(0, len(items), MOST_IN_A_CALL))


class LuaScript:
    """Atomic on the server: nothing else runs in between, which is what every guarantee here rests on.

    One that is `read_only` is run as such, for which rights to read its keys will do.
    """

    def __init__(self, file_name: str, *, package: str = "eval_worker.stream", read_only: bool = False) -> None:
        self._source = resources.files(package).joinpath(file_name).read_text(encoding="utf-8")
        self._suffix = "_ro" if read_only else ""
        self._sha = hashlib.sha1(self._source.encode(), usedforsecurity=False).hexdigest()

    async def __call__(self, client: Redis, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        # Typed for strings only, while bytes and numbers are fine.
        command: Any = getattr(client, f"evalsha{self._suffix}")
        try:
            return await command(self._sha, len(keys), *keys, *arguments)
        except NoScriptError:  # a new or flushed server: EVAL runs the script and keeps it
            command = getattr(client, f"eval{self._suffix}")
            return await command(self._source, len(keys), *keys, *arguments)
