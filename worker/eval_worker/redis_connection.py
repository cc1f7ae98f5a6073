"""How Redis is reached: one client for every place it may live, and plain words when it can't be reached.

All clients share four choices:

* The protocol is RESP2, because reply shapes differ by protocol.
* Replies are bytes: events are whatever producers sent, not always text.
* The client never retries. It would send an XADD again whose reply was lost, which makes two entries of one event;
  whoever holds the work decides what may be sent twice.
* XREAD and XREADGROUP reply `[[stream, [[id, [name, value, name, value, …]], …]], …]`, as on the wire, and `[]` when
  there was nothing. The client library would make dicts of the fields and lose those whose names repeat.
"""

import errno
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    NoPermissionError,
    OutOfMemoryError,
    RedisClusterException,
    RedisError,
    ResponseError,
)
from redis.retry import Retry

from eval_worker.errors import RedisUnavailableError, SettingsError
from eval_worker.redaction import without_secrets
from eval_worker.redis_cluster import ClusterClient
from eval_worker.redis_greeting import ClosedAtOnceError, greeting, greeting_sync, has_hung_up
from eval_worker.redis_hang_up import hanging_up
from eval_worker.redis_packing import packing_in_c
from eval_worker.redis_primary import leaving_replicas
from eval_worker.redis_target import RedisTarget, target_of

if TYPE_CHECKING:
    from eval_worker.settings import Settings

CLIENT_NAME = "eval-worker"
CONNECT_SECONDS = 5
REPLY_SECONDS = 5

REDIS_ERRORS: tuple[type[Exception], ...] = (RedisError, RedisClusterException, OSError)
"""All that a call to Redis may raise but for bugs: the cluster client's errors are a family of their own."""

_TIMEOUTS = (TimeoutError, redis.TimeoutError)
_REFUSALS = (AuthenticationError, AuthorizationError, NoPermissionError, BusyLoadingError)
_ERROR_NUMBERS = re.compile(r"errno (-?\d+)\]|error (-?\d+) connecting to", re.IGNORECASE)


def connect(settings: "Settings", *, block_seconds: float = 0) -> redis.asyncio.Redis:
    """Make a client; nothing is sent yet.

    A connection that waits in BLOCK serves nobody else, so readers have a client of their own, whose `block_seconds`
    is the longest they block.

    With REDIS_CLUSTER it is a RedisCluster, which answers to all that is used here.
    """
    target = target_of(settings)
    options = _options(target, block_seconds)
    if settings.redis_cluster:
        client = ClusterClient(**options, retry=AsyncRetry(NoBackoff(), 0))
        _keep_entries_raw(client)
        return cast("redis.asyncio.Redis", client)
    options["retry"] = AsyncRetry(NoBackoff(), 0)
    client = _behind_sentinel(target, options) if target.sentinels else redis.asyncio.Redis(**options)
    _make_connections(client, of=lambda given: packing_in_c(leaving_replicas(greeting(hanging_up(given)))))
    _keep_entries_raw(client)
    return client


def connect_sync(settings: "Settings", *, block_seconds: float = 0) -> redis.Redis:
    """Make a blocking client, for commands that do one thing at a time.

    Raises:
        RedisUnavailableError: only with REDIS_CLUSTER, whose blocking client connects at once. Its XREAD replies are
            not raw either.
    """
    target = target_of(settings)
    options = _options(target, block_seconds)
    retry = Retry(NoBackoff(), 0)
    if settings.redis_cluster:
        try:
            return cast("redis.Redis", redis.RedisCluster(**options, retry=retry))
        except (RedisError, RedisClusterException, OSError) as error:
            raise explain(error, settings) from error
    options["retry"] = retry
    client = _behind_sentinel_sync(target, options) if target.sentinels else redis.Redis(**options)
    _make_connections(client, of=greeting_sync)
    _keep_entries_raw(client)
    return client


async def ping_or_explain(client: redis.asyncio.Redis, settings: "Settings") -> None:
    """Make sure that Redis answers and knows us.

    Raises:
        RedisUnavailableError: one line that says what is wrong and what to do.
    """
    try:
        await cast("Any", client).execute_command("PING")
    except (RedisError, RedisClusterException, OSError) as error:
        raise explain(error, settings) from error


def ping_or_explain_sync(client: redis.Redis, settings: "Settings") -> None:
    """Make sure that Redis answers and knows us, as `ping_or_explain` does."""
    try:
        cast("Any", client).execute_command("PING")
    except (RedisError, RedisClusterException, OSError) as error:
        raise explain(error, settings) from error


def address(settings: "Settings") -> str:
    """Where Redis is, in words that may be shown: never with a password."""
    return target_of(settings).address


def check_one_slot(settings: "Settings") -> None:
    """A script that moves an event to its result touches all three streams, which a cluster allows in one slot only.

    Raises:
        SettingsError: naming keys that would work.
    """
    if not settings.redis_cluster or settings.stream_partitions > 1:  # those are named so that they do
        return
    events = settings.redis_stream_name
    keys = (events, settings.redis_result_stream, settings.redis_dead_letter_stream)
    if len({key_slot(key.encode()) for key in keys}) == 1:
        return
    before, opening, rest = events.partition("{")
    tag = rest.partition("}")[0] if opening and "}" in rest and not rest.startswith("}") else before + opening + rest
    raise SettingsError(
        f"REDIS_CLUSTER: {', '.join(keys)} lie in different slots: set REDIS_RESULT_STREAM={{{tag}}}:results and "
        f"REDIS_DEAD_LETTER_STREAM={{{tag}}}:dead-letters"
    )


def explain(error: Exception, settings: "Settings") -> RedisUnavailableError:
    """Say in one line why Redis can't be used, and what to do about it."""
    where = address(settings)
    # While connecting, some clients wrap what the server said into an error of their own.
    said = next((cause for cause in _causes(error) if isinstance(cause, _REFUSALS)), error)
    return RedisUnavailableError(_refusal(said, settings, where) or _unreachable(error, settings, where))


def _refusal(said: BaseException, settings: "Settings", where: str) -> str | None:
    """What Redis said, if it is there and answered."""
    if isinstance(said, AuthenticationError | AuthorizationError):
        return f"Redis at {where} refused the user or password: check REDIS_USERNAME and REDIS_PASSWORD"
    if isinstance(said, NoPermissionError):
        return (
            f"Redis at {where} refused a command to this user: check REDIS_USERNAME and its rights "
            f"({_words(said, settings)})"
        )
    if isinstance(said, BusyLoadingError):
        return f"Redis at {where} is still loading its data: try again in a moment"
    if isinstance(said, OutOfMemoryError):
        return (
            f"Redis at {where} is full (maxmemory): give it more memory, or trim {settings.redis_result_stream} (XTRIM)"
        )
    if isinstance(said, ResponseError) and str(said).startswith("WRONGTYPE"):
        return f"Redis at {where}: {_streams(settings)} is no stream (WRONGTYPE): redis-cli TYPE says which; rename it"
    return None


def _streams(settings: "Settings") -> str:
    if settings.stream_partitions > 1:
        return f"a key of {settings.redis_stream_name}'s partitions"
    names = (settings.redis_stream_name, settings.redis_result_stream, settings.redis_dead_letter_stream)
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _unreachable(error: Exception, settings: "Settings", where: str) -> str:
    causes = list(_causes(error))
    problem = next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)
    if problem is not None:
        words = _words(problem, settings)
        return f"Redis at {where} can't be reached over TLS ({words}): check REDIS_TLS and REDIS_CA_FILE"
    reason = _reason(causes)
    if reason:
        return f"no Redis at {where} ({reason}): {_way_out(reason, settings)}"
    if has_hung_up(error):
        # The cluster's clients raise theirs where no node answered when they began.
        at_once = any(isinstance(cause, ClosedAtOnceError | RedisClusterException) for cause in causes)
        way_out = "if it wants TLS, set REDIS_TLS=true" if at_once else "see whether it was stopped or restarted"
        return f"Redis at {where} closed the connection: {way_out}"
    return f"Redis at {where} can't be used: {_words(error, settings)}"


def _way_out(reason: str, settings: "Settings") -> str:
    if settings.redis_sentinel and not settings.redis_url:
        return "check REDIS_SENTINEL"
    if _speaks_tls(settings) and reason.startswith("no answer"):
        return "if it doesn't speak TLS, use no REDIS_TLS and no rediss://"
    return "start one (eval-worker run --embedded brings its own), or set REDIS_ADDR or REDIS_URL"


def _speaks_tls(settings: "Settings") -> bool:
    url = settings.redis_url
    return settings.redis_tls or (url is not None and url.get_secret_value().startswith("rediss:"))


def _reason(causes: list[BaseException]) -> str | None:
    """The plainest of what went wrong; asyncio tries every address of a host and reports them all in one message.

    Where an old connection could not be renewed, the system's own error is no longer among the causes: its number
    stands in the client's message.
    """
    texts = " ".join(str(cause) for cause in causes).lower()
    numbers = {int(found or also) for found, also in _ERROR_NUMBERS.findall(texts)}
    reasons = {
        "connection refused": errno.ECONNREFUSED in numbers or "refused" in texts,
        "no such socket": errno.ENOENT in numbers or any(isinstance(cause, FileNotFoundError) for cause in causes),
        "permission denied": errno.EACCES in numbers or any(isinstance(cause, PermissionError) for cause in causes),
        "host not found": any(number < 0 for number in numbers)
        or any(isinstance(cause, socket.gaierror) for cause in causes),
        "no sentinel answers, or none knows a master of that name": "no master found" in texts,
        f"no answer within {CONNECT_SECONDS} seconds": any(isinstance(cause, _TIMEOUTS) for cause in causes),
    }
    return next((words for words, applies in reasons.items() if applies), None)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _words(error: BaseException, settings: "Settings") -> str:
    """The first line of a message, without what may be secret or long: servers repeat what they were sent."""
    lines = without_secrets(str(error), settings.secrets).splitlines() or [type(error).__name__]
    return lines[0][:200]


def _make_connections(client: redis.asyncio.Redis | redis.Redis, *, of: Callable[[type[Any]], type[Any]]) -> None:
    pool: Any = client.connection_pool
    pool.connection_class = of(pool.connection_class)


def _keep_entries_raw(client: Any) -> None:
    for command in ("XREAD", "XREADGROUP"):
        client.set_response_callback(command, _raw_entries)


def _raw_entries(reply: Any, **_options: Any) -> Any:
    return reply or []


def _options(target: RedisTarget, block_seconds: float) -> dict[str, Any]:
    return {
        **target.arguments,
        "protocol": 2,
        "decode_responses": False,
        "socket_timeout": REPLY_SECONDS + block_seconds,
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_keepalive": True,
        "client_name": CLIENT_NAME,
    }


def _behind_sentinel(target: RedisTarget, options: dict[str, Any]) -> redis.asyncio.Redis:
    from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool  # noqa: PLC0415  # few have sentinels

    class PoolWithItsSentinels(SentinelConnectionPool):
        """Closes the sentinels' own connections too, which nobody else would."""

        async def aclose(self) -> None:
            await super().aclose()
            await cast("Sentinel", self.sentinel_manager).aclose()

    assert target.service is not None
    manager: Any = Sentinel(target.sentinels, sentinel_kwargs=_sentinel_options(options), **options)
    for sentinel in manager.sentinels:
        _make_connections(sentinel, of=hanging_up)
    return manager.master_for(target.service, connection_pool_class=PoolWithItsSentinels)


def _behind_sentinel_sync(target: RedisTarget, options: dict[str, Any]) -> redis.Redis:
    from redis.sentinel import Sentinel  # noqa: PLC0415  # few have sentinels

    assert target.service is not None
    manager: Any = Sentinel(target.sentinels, sentinel_kwargs=_sentinel_options(options), **options)
    return manager.master_for(target.service)


def _sentinel_options(options: dict[str, Any]) -> dict[str, Any]:
    """Sentinels are spoken to like their master, but neither have its users nor block."""
    theirs = {name: value for name, value in options.items() if name not in {"username", "password", "db"}}
    return {**theirs, "socket_timeout": REPLY_SECONDS}
