"""What the logs show of values that strangers chose."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
import structlog

from eval_worker.telemetry.logs import configure_logs

HOSTILE = "\x1b]0;mine\x07evt\n[error]forged\u202e"


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[Literal["console", "json"]], str]]:
    """Log a hostile event id in a format, and return what was written."""
    before: dict[str, Any] = structlog.get_config()

    def log(log_format: Literal["console", "json"]) -> str:
        configure_logs(log_format, "info")
        structlog.get_logger().warning("judged", event_id=HOSTILE)
        return capsys.readouterr().err

    yield log
    structlog.configure(**before)


def test_no_value_can_rule_the_terminal_or_forge_a_line(logged: Callable[[Literal["console", "json"]], str]):
    (line,) = logged("console").splitlines()

    assert line.isprintable()
    assert "forged" in line


def test_a_machine_gets_the_value_as_it_is(logged: Callable[[Literal["console", "json"]], str]):
    assert json.loads(logged("json"))["event_id"] == HOSTILE


def test_what_a_library_says_is_a_line_of_json_too_and_without_secrets(capsys: pytest.CaptureFixture[str]):
    before: dict[str, Any] = structlog.get_config()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    try:
        configure_logs("json", "info", {"hush-hush"})
        problem = OSError("hush-hush is refused")
        logging.getLogger("some.library").error("cut off: %s", "hush-hush", exc_info=problem)
    finally:
        root.handlers[:], root.level = handlers, level
        structlog.configure(**before)

    (line,) = capsys.readouterr().err.splitlines()
    said = json.loads(line)
    assert (said["logger"], said["level"]) == ("some.library", "error")
    assert "cut off: […]" in said["event"]
    assert "OSError" in said["event"]
    assert "hush" not in line
