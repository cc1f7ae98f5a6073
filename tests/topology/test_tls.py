"""What is different over TLS."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.events import event, results, send
from tests.processes import Worker, environment_for
from tests.servers.access_rights import User
from tests.servers.tls import TlsServer
from tests.waiting import eventually_sync

from eval_worker.settings import load_settings

DRAIN_SECONDS = 3


def test_a_server_that_hangs_is_left_within_drain_seconds(tmp_path: Path, spawn: Callable[..., Worker]):
    """Closing a TLS connection waits for the other side's goodbye."""
    with TlsServer(tmp_path) as tls, tls.admin() as admin:
        settings = load_settings(**tls.settings_of(User.WORKER), judge_model="offline")
        worker = spawn(environment_for(settings, DRAIN_SECONDS=str(DRAIN_SECONDS)))
        send(admin, event(), "eval-events")
        eventually_sync(lambda: results(admin, "eval-results"))
        pid = tls.server.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            started = time.monotonic()
            worker.signal(signal.SIGTERM)
            assert worker.wait(20) == 0
            assert time.monotonic() - started < DRAIN_SECONDS
        finally:
            os.kill(pid, signal.SIGCONT)
