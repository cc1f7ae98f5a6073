"""After every test: a key beyond the three streams has to expire, so that nothing of ours stays in Redis for ever."""

import contextlib
import tempfile
from collections.abc import Collection
from typing import Any

import redis
from redis.exceptions import RedisClusterException
from tests.planted_secrets import note_streams
from tests.servers.kinds import DEAD_LETTERS, EVENTS, RESULTS
from tests.servers.suite_server import SuiteServer

STREAMS = frozenset({EVENTS, RESULTS, DEAD_LETTERS})
_NEVER = -1


def check_for_key_leaks(server: SuiteServer, lasting: Collection[str]) -> None:
    """A server that the test has ended holds nothing. The test's `.env`, should it have written one, is not ours."""
    gone = contextlib.suppress(redis.ConnectionError, RedisClusterException)
    with contextlib.chdir(tempfile.gettempdir()), gone, server.admin() as admin:
        note_streams(admin)
        expect_no_lasting_keys(admin, lasting)


def expect_no_lasting_keys(client: Any, besides: Collection[str] = ()) -> None:
    """Fail if a key has no time to live and is neither one of the streams nor one that the test made known."""
    known = STREAMS.union(besides)
    names = {key.decode(errors="backslashreplace"): key for key in client.scan_iter(count=1_000)}
    lasting = sorted(name for name, key in names.items() if name not in known and client.pttl(key) == _NEVER)
    assert not lasting, (
        f"{', '.join(lasting)} would stay in Redis for ever: give it a time to live or, where the test itself made it, "
        "add its name to the fixture `lasting_keys`"
    )
