"""`eval-worker mcp` as it is started wrongly, or with libraries that misbehave."""

import subprocess
import sys

from tests.command_line import run
from tests.doors.mcp_server.line_client import SECONDS, as_lines, handshake, tool_call

PRINTING = """
from eval_worker.models.offline import OfflineModel
judge = OfflineModel.ask
async def ask(self, request):
    print("a library says hello", flush=True)
    return await judge(self, request)
OfflineModel.ask = ask
"""
WITHOUT_SDK = "import sys; sys.modules['mcp'] = None"


def run_after(prelude: str, *arguments: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[str]":
    program = f"{prelude}\nimport sys\nfrom eval_worker.cli import main\nsys.argv[1:] = {['mcp', *arguments]!r}\nmain()"
    return subprocess.run(
        [sys.executable, "-c", program],
        input=stdin.decode(),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_a_library_that_prints_does_not_disturb_the_protocol():
    done = run_after(PRINTING, "--judge-model", "offline", stdin=as_lines([*handshake(), tool_call(2)]))

    assert done.returncode == 0
    assert [line[:16] for line in done.stdout.splitlines()] == ['{"jsonrpc":"2.0"'] * 2
    assert "a library says hello" in done.stderr


def test_without_the_extra_it_says_what_to_install():
    done = run_after(WITHOUT_SDK)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "eval-worker: eval-worker mcp needs an extra: pip install 'eval-worker[mcp]'\n"


def test_where_to_listen_is_refused_without_http():
    done = run("eval_worker", "mcp", "--port", "8080")

    assert done.code == 2
    assert "need --http" in done.err
