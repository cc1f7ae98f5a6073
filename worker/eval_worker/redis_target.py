"""Where Redis is: what the settings say of it, as the clients take it and as people may see it."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlparse

from redis.connection import (
    SSLConnection,
    UnixDomainSocketConnection,
    parse_url,  # pyright: ignore[reportUnknownVariableType]  # it is not annotated
)

from eval_worker.errors import SettingsError

if TYPE_CHECKING:
    from eval_worker.settings import Settings

DEFAULT_SENTINEL_PORT = 26_379
_SENTINEL_SERVICE = re.compile(r"[A-Za-z0-9._-]+")  # all that a sentinel takes for a name
_URL_OPTIONS = {"db", "host", "max_connections", "password", "path", "port", "username"}


@dataclass(frozen=True, slots=True)
class RedisTarget:
    """Where Redis is: the client's arguments for it, the password among them, and the words for people."""

    arguments: dict[str, Any] = field(repr=False)
    address: str
    service: str | None = None
    sentinels: tuple[tuple[str, int], ...] = ()


def target_of(settings: "Settings") -> RedisTarget:
    """Read the settings.

    Raises:
        SettingsError: they contradict each other, or one of them can't be read. No password is in its message.
    """
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
        return RedisTarget({**credentials, **tls, **given}, target.address)
    if settings.redis_sentinel:
        service, sentinels = _parse_sentinels(settings.redis_sentinel)
        return RedisTarget({**credentials, **tls}, settings.redis_sentinel, service, sentinels)
    place = {"host": settings.redis_host, "port": settings.redis_port}
    return RedisTarget({**credentials, **tls, **place}, settings.redis_addr)


def _tls_options(settings: "Settings") -> dict[str, Any]:
    if settings.redis_ca_file is None:
        return {"ssl": True}
    if not Path(settings.redis_ca_file).is_file():
        raise SettingsError(f"REDIS_CA_FILE: there is no file {settings.redis_ca_file}")
    return {"ssl": True, "ssl_ca_certs": settings.redis_ca_file}


def _from_url(url: str, *, cluster: bool) -> RedisTarget:
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
    return RedisTarget(arguments, f"{arguments['host']}:{arguments['port']}")


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


def _from_socket_path(arguments: dict[str, Any], *, cluster: bool) -> RedisTarget:
    if cluster:
        raise SettingsError("REDIS_URL: a cluster can't be reached through a unix socket")
    path = arguments.pop("path", "")
    if not path:
        raise SettingsError("REDIS_URL: unix:// needs the path of the socket, such as unix:///run/redis.sock")
    return RedisTarget({**arguments, "unix_socket_path": path}, f"unix://{path}")


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
