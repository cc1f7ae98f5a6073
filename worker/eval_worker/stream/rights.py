"""The rights that a worker's Redis user needs, looked up so that what is missing can be named."""

from collections.abc import Sequence

from redis.asyncio import Redis

from eval_worker.stream.lua_script import LuaScript
from eval_worker.stream.names import StreamNames

_REFUSALS = ("NoPermissionError", "The user executing the script can't", "ACL failure in script")


class Rights:
    """Asks the server itself, by the commands that the scripts and the reader run."""

    def __init__(self, client: Redis, names: StreamNames) -> None:
        self._client = client
        self._arguments = [names.events, names.results, names.dead_letters]
        self._script = LuaScript("rights.lua")

    async def missing(self) -> str | None:
        """Name the missing rights as in an ACL rule, or None where all are there (or the server can't tell)."""
        replies = await self._script(self._client, [], self._arguments)
        return _in_words([(right.decode(), key.decode(), bool(allowed)) for right, key, allowed in replies]) or None


def is_missing_right(problem: str) -> bool:
    """Whether this is a refusal for want of rights; those from within scripts are errors like any other."""
    return any(words in problem for words in _REFUSALS)


def refusal_of(missing: str) -> str:
    """Say it in words for people."""
    return f"this user lacks {missing} (see docs/security.md, Redis users with few rights)"


def _in_words(replies: Sequence[tuple[str, str, bool]]) -> str:
    """Blame the key for what is allowed on others only, or where it allows nothing at all; else the command."""
    elsewhere = {right for right, _, allowed in replies if allowed}
    open_keys = {key for _, key, allowed in replies if allowed}
    refused = [(right, key) for right, key, allowed in replies if not allowed]
    keys = {key: None for right, key in refused if key and (right in elsewhere or key not in open_keys)}
    commands = {right: None for right, key in refused if key not in keys}
    return " ".join([*(f"~{key}" for key in keys), *commands])
