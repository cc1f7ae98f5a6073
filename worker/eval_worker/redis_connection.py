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
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlparse

import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.connection import (
    SSLConnection,
    UnixDomainSocketConnection,
    parse_url,  # pyright: ignore[reportUnknownVariableType]  # it is not annotated
)
from redis.crc import key_slot
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    NoPermissionError,
    OutOfMemoryError,
    RedisClusterException,
    RedisError,
)
from redis.retry import Retry

from eval_worker.errors import RedisUnavailableError, SettingsError
from eval_worker.redaction import without_secrets
from eval_worker.redis_cluster import ClusterClient
from eval_worker.redis_hang_up import hanging_up
from eval_worker.redis_packing import packing_in_c
from eval_worker.redis_primary import leaving_replicas

if TYPE_CHECKING:
    from eval_worker.settings import Settings

CLIENT_NAME = "eval-worker"
CONNECT_SECONDS = 5
REPLY_SECONDS = 5
DEFAULT_SENTINEL_PORT = 26_379
_SENTINEL_SERVICE = re.compile(r"[A-Za-z0-9._-]+")  # all that a sentinel takes for a name

_URL_OPTIONS = {"db", "host", "max_connections", "password", "path", "port", "username"}
REDIS_ERRORS: tuple[type[Exception], ...] = (RedisError, RedisClusterException, OSError)
"""All that a call to Redis may raise but for bugs: the cluster client's errors are a family of their own."""

_TIMEOUTS = (TimeoutError, redis.TimeoutError)
_REFUSALS = (AuthenticationError, AuthorizationError, NoPermissionError, BusyLoadingError)
_HUNG_UP = ("closed by server", "reset by peer")  # which of them, depends on what was under way


@dataclass(frozen=True, slots=True)
class _Target:
    """Where Redis is: the client's arguments for it, the password among them, and the words for people."""

    arguments: dict[str, Any] = field(repr=False)
    address: str
    service: str | None = None
    sentinels: tuple[tuple[str, int], ...] = ()


def connect(settings: "Settings", *, block_seconds: float = 0) -> redis.asyncio.Redis:
    """Make a client; nothing is sent yet.

    A connection that waits in BLOCK serves nobody else, so readers have a client of their own, whose `block_seconds`
    is the longest they block.

    With REDIS_CLUSTER it is a RedisCluster, which answers to all that is used here.
    """
    target = _target(settings)
    options = _options(target, block_seconds)
    if settings.redis_cluster:
        client = ClusterClient(**options, retry=AsyncRetry(NoBackoff(), 0))
        _keep_entries_raw(client)
        return cast("redis.asyncio.Redis", client)
    options["retry"] = AsyncRetry(NoBackoff(), 0)
    client = _behind_sentinel(target, options) if target.sentinels else redis.asyncio.Redis(**options)
    _make_connections(client, of=lambda given: packing_in_c(leaving_replicas(hanging_up(given))))
    _keep_entries_raw(client)
    return client


def connect_sync(settings: "Settings", *, block_seconds: float = 0) -> redis.Redis:
    """Make a blocking client, for commands that do one thing at a time.

    Raises:
        RedisUnavailableError: only with REDIS_CLUSTER, whose blocking client connects at once. Its XREAD replies are
            not raw either.
    """
    target = _target(settings)
    options = _options(target, block_seconds)
    retry = Retry(NoBackoff(), 0)
    if settings.redis_cluster:
        try:
            return cast("redis.Redis", redis.RedisCluster(**options, retry=retry))
        except (RedisError, RedisClusterException, OSError) as error:
            raise explain(error, settings) from error
    options["retry"] = retry
    client = _behind_sentinel_sync(target, options) if target.sentinels else redis.Redis(**options)
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
    return _target(settings).address


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
    if isinstance(said, AuthenticationError | AuthorizationError):
        return RedisUnavailableError(
            f"Redis at {where} refused the user or password: check REDIS_USERNAME and REDIS_PASSWORD"
        )
    if isinstance(said, NoPermissionError):
        return RedisUnavailableError(
            f"Redis at {where} refused a command to this user: check REDIS_USERNAME and its rights "
            f"({_words(said, settings)})"
        )
    if isinstance(said, BusyLoadingError):
        return RedisUnavailableError(f"Redis at {where} is still loading its data: try again in a moment")
    if isinstance(said, OutOfMemoryError):
        return RedisUnavailableError(
            f"Redis at {where} is full (maxmemory): give it more memory, or trim {settings.redis_result_stream} (XTRIM)"
        )
    return RedisUnavailableError(_unreachable(error, settings, where))


def _unreachable(error: Exception, settings: "Settings", where: str) -> str:
    causes = list(_causes(error))
    problem = next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)
    if problem is not None:
        words = _words(problem, settings)
        return f"Redis at {where} can't be reached over TLS ({words}): check REDIS_TLS and REDIS_CA_FILE"
    reason = _reason(causes)
    if reason:
        if settings.redis_sentinel and not settings.redis_url:
            return f"no Redis at {where} ({reason}): check REDIS_SENTINEL"
        if _speaks_tls(settings) and reason.startswith("no answer"):
            return f"no Redis at {where} ({reason}): if it doesn't speak TLS, use no REDIS_TLS and no rediss://"
        return (
            f"no Redis at {where} ({reason}): start one (eval-worker run --embedded brings its own), "
            "or set REDIS_ADDR or REDIS_URL"
        )
    if any(words in str(error).lower() for words in _HUNG_UP):
        return f"Redis at {where} closed the connection: if it wants TLS, set REDIS_TLS=true"
    return f"Redis at {where} can't be used: {_words(error, settings)}"


def _speaks_tls(settings: "Settings") -> bool:
    url = settings.redis_url
    return settings.redis_tls or (url is not None and url.get_secret_value().startswith("rediss:"))


def _reason(causes: list[BaseException]) -> str | None:
    """The plainest of what went wrong; asyncio tries every address of a host and reports them all in one message."""
    texts = " ".join(str(cause) for cause in causes).lower()
    reasons = {
        "connection refused": f"errno {errno.ECONNREFUSED}]" in texts or "refused" in texts,
        "no such socket": any(isinstance(cause, FileNotFoundError) for cause in causes),
        "permission denied": any(isinstance(cause, PermissionError) for cause in causes),
        "host not found": any(isinstance(cause, socket.gaierror) for cause in causes),
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


def _make_connections(client: redis.asyncio.Redis, *, of: Callable[[type[Any]], type[Any]]) -> None:
    pool: Any = client.connection_pool
    pool.connection_class = of(pool.connection_class)


def _keep_entries_raw(client: Any) -> None:
    for command in ("XREAD", "XREADGROUP"):
        client.set_response_callback(command, _raw_entries)


def _raw_entries(reply: Any, **_options: Any) -> Any:
    return reply or []


def _options(target: _Target, block_seconds: float) -> dict[str, Any]:
    return {
        **target.arguments,
        "protocol": 2,
        "decode_responses": False,
        "socket_timeout": REPLY_SECONDS + block_seconds,
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_keepalive": True,
        "client_name": CLIENT_NAME,
    }


def _behind_sentinel(target: _Target, options: dict[str, Any]) -> redis.asyncio.Redis:
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


def _behind_sentinel_sync(target: _Target, options: dict[str, Any]) -> redis.Redis:
    from redis.sentinel import Sentinel  # noqa: PLC0415  # few have sentinels

    assert target.service is not None
    manager: Any = Sentinel(target.sentinels, sentinel_kwargs=_sentinel_options(options), **options)
    return manager.master_for(target.service)


def _sentinel_options(options: dict[str, Any]) -> dict[str, Any]:
    """Sentinels are spoken to like their master, but neither have its users nor block."""
    theirs = {name: value for name, value in options.items() if name not in {"username", "password", "db"}}
    return {**theirs, "socket_timeout": REPLY_SECONDS}


def _target(settings: "Settings") -> _Target:
    if settings.redis_cluster and settings.redis_sentinel:
        raise SettingsError("REDIS_CLUSTER and REDIS_SENTINEL exclude each other: unset one")
    credentials = {
        "username": settings.redis_username,
        "password": settings.redis_password.get_secret_value() if settings.redis_password else None,
    }
    tls = _tls_options(settings) if settings.redis_tls else {}
    if settings.redis_url:
        target = _from_url(settings.redis_url.get_secret_value(), cluster=settings.redis_cluster)
        given = target.arguments
        if given.get("ssl"):
            tls = _tls_options(settings)
        return _Target({**credentials, **tls, **given}, target.address)
    if settings.redis_sentinel:
        service, sentinels = _parse_sentinels(settings.redis_sentinel)
        return _Target({**credentials, **tls}, settings.redis_sentinel, service, sentinels)
    place = {"host": settings.redis_host, "port": settings.redis_port}
    return _Target({**credentials, **tls, **place}, settings.redis_addr)


def _tls_options(settings: "Settings") -> dict[str, Any]:
    if settings.redis_ca_file is None:
        return {"ssl": True}
    if not Path(settings.redis_ca_file).is_file():
        raise SettingsError(f"REDIS_CA_FILE: there is no file {settings.redis_ca_file}")
    return {"ssl": True, "ssl_ca_certs": settings.redis_ca_file}


def _from_url(url: str, *, cluster: bool) -> _Target:
    """Take from a URL what says where Redis is; how we talk to it is not for a URL to say.

    The URL is never quoted in a message, nor is the parser's complaint: both may hold the password.
    """
    schemes = ("redis://", "rediss://", "unix://")
    if not url.startswith(schemes):
        raise SettingsError(f"REDIS_URL: must start with {', '.join(schemes[:-1])} or {schemes[-1]}")
    arguments = _parsed(url)
    if arguments is None:
        raise SettingsError(
            "REDIS_URL: must look like redis://user:password@host:6379/0, with special characters of the password "
            "percent-encoded"
        )
    kind = arguments.pop("connection_class", None)
    unknown = sorted(name for name in arguments if name not in _URL_OPTIONS and not name.startswith("ssl_"))
    if unknown:
        raise SettingsError(f"REDIS_URL: the option {unknown[0]!r} can't be set there")
    if kind is UnixDomainSocketConnection:
        return _from_socket_path(arguments, cluster=cluster)
    if not urlparse(url).hostname:
        raise SettingsError("REDIS_URL: names no host")
    database = urlparse(url).path.strip("/")
    if database and not database.isdecimal():
        raise SettingsError("REDIS_URL: what follows the port must be the number of a database, such as /0")
    if kind is SSLConnection:
        arguments["ssl"] = True
    arguments.setdefault("port", 6379)
    return _Target(arguments, f"{arguments['host']}:{arguments['port']}")


def _parsed(url: str) -> dict[str, Any] | None:
    try:
        return None if _cuts_password(url) else dict(cast("dict[str, Any]", parse_url(url)))
    except ValueError:
        return None


def _cuts_password(url: str) -> bool:
    """Whether a character of the password that is not encoded (/, ? or #) ends it, so that its rest lies elsewhere."""
    parts = urlparse(url)
    if parts.scheme == "unix":  # its path may hold an @
        return bool(parts.netloc) and not parts.netloc.endswith("@")
    return any("@" in part for part in (parts.path, parts.query, parts.fragment))


def _from_socket_path(arguments: dict[str, Any], *, cluster: bool) -> _Target:
    if cluster:
        raise SettingsError("REDIS_URL: a cluster can't be reached through a unix socket")
    path = arguments.pop("path", "")
    if not path:
        raise SettingsError("REDIS_URL: unix:// needs the path of the socket, such as unix:///run/redis.sock")
    return _Target({**arguments, "unix_socket_path": path}, f"unix://{path}")


def _parse_sentinels(text: str) -> tuple[str, tuple[tuple[str, int], ...]]:
    service, at, rest = text.partition("@")
    if not _SENTINEL_SERVICE.fullmatch(service) or "@" in rest or "/" in rest:
        raise SettingsError(
            "REDIS_SENTINEL: must be like mymaster@host1:26379,host2:26379: give user and password as REDIS_USERNAME "
            "and REDIS_PASSWORD"
        )
    sentinels: list[tuple[str, int]] = []
    for place in rest.split(","):
        host, colon, port = place.strip().rpartition(":")
        if not colon:
            host, port = place.strip(), str(DEFAULT_SENTINEL_PORT)
        if not (host and port.isdigit()):
            break
        sentinels.append((host.strip("[]"), int(port)))
    if not (at and len(sentinels) == len(rest.split(","))):
        raise SettingsError(f"REDIS_SENTINEL: must be like mymaster@host1:26379,host2:26379, not {text!r}")
    return service, tuple(sentinels)
