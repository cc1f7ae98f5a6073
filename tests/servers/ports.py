"""Ports that nobody listens on."""

import contextlib
import os
import random
import socket

_BUS = 10_000  # a cluster's nodes talk to each other on a port so much higher
_LOWEST = 12_000  # so that the buses end below 32,768, from where on the kernel takes ports for connections
_SHARE, _SHARES = 500, 20  # all below 22,000, where the buses begin
_given: set[int] = set()
_chance = random.SystemRandom()  # a test's seed is the same in every process, and would choose the same port


def free_port() -> int:
    """Return a port that is free at the moment, and its cluster bus as well.

    Suites that run side by side look in shares of their own, or one would find what another has found and not used yet;
    for the same reason none is given twice, as long as there are others.
    """
    lowest = _LOWEST + os.getpid() % _SHARES * _SHARE
    ports = range(lowest, lowest + _SHARE)
    if len(_given) > _SHARE // 2:
        _given.clear()
    for port in _chance.sample([port for port in ports if port not in _given], k=50):
        with socket.socket() as listener, socket.socket() as bus, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            bus.bind(("127.0.0.1", port + _BUS))
            _given.add(port)
            return port
    raise AssertionError("no free port")
