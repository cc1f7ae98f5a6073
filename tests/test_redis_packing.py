"""Packing in C writes, byte by byte, what the library would have written."""

from typing import Any

import pytest
from redis.asyncio.connection import Connection
from redis.exceptions import DataError

from eval_worker.redis_packing import packing_in_c

THEIRS, OURS = Connection(), packing_in_c(Connection)()


@pytest.mark.parametrize(
    "command",
    [
        ("PING",),
        ("XADD", "eval-events", "*", "payload", b"\x00\xff", "größe", "🙂"),
        ("EVALSHA", "0" * 40, 1, "key", 12, -1, 0.5, b"", ""),
        ("XGROUP CREATE", "eval-events", "eval-group", "0", "MKSTREAM"),
        (b"GET", bytearray(b"key")),
        ("GET", memoryview(b"key")),
    ],
)
def test_a_command_is_packed_as_the_library_packs_it(command: tuple[Any, ...]):
    assert b"".join(OURS.pack_command(*command)) == b"".join(THEIRS.pack_command(*command))


@pytest.mark.parametrize("argument", [None, object(), [1]])
def test_what_the_library_refuses_is_refused(argument: object):
    with pytest.raises(DataError):
        OURS.pack_command("SET", "key", argument)
