"""Taking a port: what the doors over HTTP have in common."""

import ipaddress
import os
import socket
from collections.abc import Collection, Generator
from contextlib import contextmanager

import structlog

from eval_worker.errors import SettingsError

log = structlog.get_logger()

BACKLOG = 2048


@contextmanager
def listen(host: str, port: int, *, settings: str) -> Generator[socket.socket]:
    """Take the port; 0 takes a free one. `settings` names what says where, for the error.

    Raises:
        SettingsError: it can't be had.
    """
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except socket.gaierror as error:
        raise SettingsError(f"{settings}: no host {host!r} is known ({error.strerror})") from error
    try:
        listening = socket.create_server(place[:2], family=family, backlog=BACKLOG)  # type: ignore[arg-type]
    except OSError as error:
        why = os.strerror(error.errno or 0)  # the error's own text names the address as well
        raise SettingsError(f"{settings}: {host}:{port} can't be had ({why}); choose another") from error
    # Connections have it from here. Else the body of each reply waits 40 ms, until a client acknowledges the head:
    # asyncio sees to that only for sockets that say which protocol theirs is.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listening:
        yield listening


def url_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def warn_if_open_to_all(host: str, keys: Collection[str]) -> None:
    """Say so where more than this machine is let in, and no key is asked for."""
    if not keys and not is_loopback(host):
        log.warning("anybody who reaches this address is served: set API_KEYS", host=host)
