"""What is different over TLS."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

from tests.events import event, results, send
from tests.processes import Worker, environment_for, seconds_to_leave
from tests.servers.access_rights import User
from tests.servers.tls import TlsServer
from tests.waiting import eventually_sync, once_in_a_few_tries

from eval_worker.settings import load_settings

DRAIN_SECONDS = 3


def test_a_server_that_hangs_is_left_within_drain_seconds(tmp_path: Path, spawn: Callable[..., Worker]):
    """Closing a TLS connection waits for the other side's goodbye."""
    with TlsServer(tmp_path) as tls, tls.admin() as admin:
        settings = load_settings(**tls.settings_of(User.WORKER), judge_model="offline")
        pid = tls.server.pid
        assert pid is not None

        def is_left_in_time() -> bool:
            worker = spawn(environment_for(settings, DRAIN_SECONDS=str(DRAIN_SECONDS)))
            judged = len(results(admin, "eval-results"))
            send(admin, event(), "eval-events")
            eventually_sync(lambda: len(results(admin, "eval-results")) > judged)
            os.kill(pid, signal.SIGSTOP)
            try:
                return seconds_to_leave(worker) < DRAIN_SECONDS
            finally:
                os.kill(pid, signal.SIGCONT)

        assert once_in_a_few_tries(is_left_in_time)
