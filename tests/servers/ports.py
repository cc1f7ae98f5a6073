"""Ports that nobody listens on."""

import contextlib
import random
import socket

_BUS = 10_000  # a cluster's nodes talk to each other on a port so much higher


def free_port() -> int:
    """Return a port that is free at the moment, and its cluster bus as well."""
    for port in random.sample(range(20_000, 32_000), k=50):
        with socket.socket() as listener, socket.socket() as bus, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            bus.bind(("127.0.0.1", port + _BUS))
            return port
    raise AssertionError("no free port")
