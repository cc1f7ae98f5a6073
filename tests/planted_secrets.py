"""Secrets that exist only to be missed: every test that lets one of them out fails at its end.

They are random, so that no text holds one by chance, and planted wherever the suite has a use for a secret. What the
suite writes is overheard here: the output of every process it starts, what it captured of this process, metrics and
readiness, streams, and the files that a test left behind.
"""

import base64
import contextlib
import os
import secrets
import subprocess
import threading
import urllib.request
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

CORES = {
    name: secrets.token_hex(12)
    for name in (
        "REDIS_PASSWORD",
        "REDIS_URL",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_BEARER_TOKEN_BEDROCK",
        "HTTPS_PROXY",
        "API_KEYS",
        "JUDGE_MODEL_PARAMS",
        "LLM_API_KEY",
    )
}
"""What is looked for. Hexadecimal digits, as no encoding of URLs, JSON or shells changes those."""

REDIS_PASSWORD = f"redis-{CORES['REDIS_PASSWORD']}"
REDIS_URL_PASSWORD = f"p@ss/{CORES['REDIS_URL']}:#?"
"""Everything in it that a URL wants encoded."""
REDIS_URL_PASSWORD_ENCODED = quote(REDIS_URL_PASSWORD, safe="")
PROXY_PASSWORD = f"proxy-{CORES['HTTPS_PROXY']}"
PROXY_URL = f"http://me:{PROXY_PASSWORD}@127.0.0.1:1"
AWS_KEYS = {
    "AWS_ACCESS_KEY_ID": f"AKIA{CORES['AWS_ACCESS_KEY_ID'].upper()[:16]}",
    "AWS_SECRET_ACCESS_KEY": f"wJalr/XUtnFE+MI/{CORES['AWS_SECRET_ACCESS_KEY']}",
    "AWS_SESSION_TOKEN": f"FwoGZXIvYXdzE/{CORES['AWS_SESSION_TOKEN']}+IQoJb3JpZ2luX2VjEPT==",
}
API_KEY = f"key-{CORES['API_KEYS']}"
CHAT_MODEL_KEY = f"of-no-shape-{CORES['JUDGE_MODEL_PARAMS']}"
"""Hidden for being known, then, and not for its looks."""
LLM_API_KEY = f"sk-{CORES['LLM_API_KEY']}"
AWS_BEARER_TOKEN = f"bedrock-api-key-{CORES['AWS_BEARER_TOKEN_BEDROCK']}"

_SHORTEST_PART = 14  # characters of a core that tell it from anything else, also where it was cut off
_LARGEST_FILE = 4 * 1024 * 1024


class Overheard:
    """Remembers which secrets were said where, and nothing else of what was said."""

    def __init__(self, cores: Mapping[str, str]) -> None:
        self._needles = [(name, needle) for name, core in cores.items() for needle in _needles(core)]
        self._findings: list[str] = []
        self._lock = threading.Lock()

    def note(self, source: str, said: str | bytes | None) -> None:
        found = self.said_in(said.decode(errors="replace") if isinstance(said, bytes) else said or "")
        with self._lock:
            self._findings += [f"{source} shows {name}" for name in found]

    def said_in(self, text: str) -> list[str]:
        """Return the names of the secrets that a text shows."""
        folded = text.casefold()
        return sorted({name for name, needle in self._needles if needle in folded})

    def take(self) -> list[str]:
        """Return the findings and forget them."""
        with self._lock:
            taken, self._findings = list(dict.fromkeys(self._findings)), []
        return taken


def _needles(core: str) -> Iterable[str]:
    """The core's first and last part, as they are and in each of the three ways that base64 may cut them."""
    for part in (core[:_SHORTEST_PART], core[-_SHORTEST_PART:]):
        yield part
        for offset in range(3):
            encoded = base64.b64encode(b"\0" * offset + part.encode()).decode()
            yield encoded[4 if offset else 0 : -4].casefold()


overheard = Overheard(CORES)
said_in = overheard.said_in


class OverheardProcess(subprocess.Popen[Any]):
    """Listens to what is read of a process through `communicate`, as `subprocess.run` does, and looks at its words.

    Whoever reads from a pipe says so with `note`.
    """

    def __init__(self, args: Any, *others: Any, **options: Any) -> None:
        words = [args] if isinstance(args, str | bytes | os.PathLike) else args
        overheard.note("a command line, open to all in `ps`,", " ".join(map(os.fsdecode, words)))
        super().__init__(args, *others, **options)

    def communicate(self, *arguments: Any, **options: Any) -> tuple[Any, Any]:
        out, err = super().communicate(*arguments, **options)
        overheard.note("a process's stdout", out)
        overheard.note("a process's stderr", err)
        return out, err


def listen() -> None:
    """Listen to every process that is started from now on, whoever starts it."""
    subprocess.Popen = OverheardProcess


def note_health(address: str) -> None:
    """Ask a worker process for what it shows to everybody; one that is stopped or gone shows nothing."""
    for path in ("/metrics", "/readyz"):
        with contextlib.suppress(OSError):
            try:
                reply = urllib.request.urlopen(address + path, timeout=1)  # our own worker's address
            except urllib.request.HTTPError as refusal:
                reply = refusal
            with reply:
                overheard.note(path, reply.read())


def note_streams(client: Any) -> None:
    for key in client.scan_iter(_type="stream", count=1_000):
        overheard.note(f"the stream {key}", repr(client.xrange(key)))


def note_files(directory: Path, planted: Iterable[str] = (".env", "config", "credentials")) -> None:
    """Read what a test left behind, but for the files in which people keep secrets."""
    for path in directory.rglob("*"):
        if path.name not in planted and path.is_file() and path.stat().st_size <= _LARGEST_FILE:
            overheard.note(f"the file {path.relative_to(directory)}", path.read_bytes())


@pytest.fixture(autouse=True)
def overheard_files(tmp_path: Path) -> Iterator[None]:
    yield
    note_files(tmp_path)


@pytest.fixture(name="capsys")
def overheard_capsys(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a test reads is not in its report any more."""
    read = capsys.readouterr

    def read_and_note() -> Any:
        captured = read()
        overheard.note("the captured output", captured.out + captured.err)
        return captured

    monkeypatch.setattr(capsys, "readouterr", read_and_note)
    return capsys


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test at its end if a secret was said while it ran."""
    report = yield
    if call.when != "teardown":
        return report
    for title, text in report.sections:
        overheard.note(f"{item.nodeid}: {title.lower()}", text)
    found = overheard.take()
    if found:
        report.outcome = "failed"
        report.longrepr = "a planted secret was let out:\n" + "\n".join(found)
    return report
