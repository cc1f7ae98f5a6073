"""Structured logs on stderr: readable on a console, JSON for machines."""

import io
import json
import logging
import sys
from collections.abc import Collection
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, TextIO

import structlog

from eval_worker.console.terminal import printable
from eval_worker.redaction import without_secrets

if TYPE_CHECKING:
    from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger


def configure_logs(log_format: Literal["console", "json"], level: str, secrets: Collection[str] = frozenset()) -> None:
    """Set up structlog and, through it, the standard library's loggers (ours use only the former).

    Tracebacks show no variables, and they and what libraries log show none of the `secrets`.
    """
    tracebacks = _Tracebacks(secrets)
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if log_format == "json":
        exceptions = structlog.processors.ExceptionRenderer(tracebacks.text)
        rendering: list[Processor] = [exceptions, structlog.processors.JSONRenderer()]
    else:
        colours = sys.stderr.isatty()
        console = structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=tracebacks.write)
        rendering = [_without_control_characters, console]
    structlog.configure(
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # Libraries speak up only when something is wrong; their debug output may hold requests and credentials.
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLibraryFormatter(secrets) if log_format == "json" else _LibraryFormatter(secrets))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def _without_control_characters(_logger: "WrappedLogger", _method: str, event: "EventDict") -> "EventDict":
    """An event's id or a field's name, which anybody may choose, could otherwise rule the terminal or forge a line."""
    return {name: printable(value) if isinstance(value, str) else value for name, value in event.items()}


class _Tracebacks:
    """The plain kind: others show variables, and one of those may be a secret."""

    def __init__(self, secrets: Collection[str]) -> None:
        self._secrets = secrets

    def text(self, exc_info: "ExcInfo") -> str:
        rendered = io.StringIO()
        structlog.dev.plain_traceback(rendered, exc_info)
        return without_secrets(rendered.getvalue(), self._secrets)

    def write(self, log: "TextIO", exc_info: "ExcInfo") -> None:
        log.write(self.text(exc_info))


class _LibraryFormatter(logging.Formatter):
    def __init__(self, secrets: Collection[str]) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record), self._secrets)


class _JsonLibraryFormatter(_LibraryFormatter):
    """Whoever reads JSON lines gets nothing else."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        said = {"logger": record.name, "event": super().format(record), "level": record.levelname.lower()}
        return json.dumps({**said, "timestamp": moment}, ensure_ascii=False)
