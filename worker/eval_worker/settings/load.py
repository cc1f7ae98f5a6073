"""Reads the environment and `.env`: here and nowhere else."""

import os
from functools import partial
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import ValidationError

from eval_worker.errors import SettingsError
from eval_worker.invalid_field import first_problem
from eval_worker.settings.settings import Settings


def load_settings(**flags: Any) -> Settings:
    """Reads the environment, then `.env`, then lays the given flags (those that are not None) over both.

    AWS and OTEL variables written in `.env` are passed on to the process environment, where their libraries look.

    Raises:
        SettingsError: one line that names the first wrong setting.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        _export_library_variables()
        return partial(Settings, **given)()
    except ValidationError as error:
        name, problem = first_problem(error, root="")
        raise SettingsError(f"{name.upper()}: {problem}" if name else problem) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f".env can't be read: {error}") from error


def _export_library_variables() -> None:
    _refuse_broken_lines()
    for name, value in dotenv_values(".env").items():
        if name.startswith(("AWS_", "OTEL_")) and value:
            os.environ.setdefault(name, value)


def _refuse_broken_lines() -> None:
    """A line that can't be read would be skipped with no more than a warning, and a password with it."""
    if not Path(".env").is_file():
        return
    with Path(".env").open(encoding="utf-8") as lines:
        broken = next((binding for binding in parse_stream(lines) if binding.error), None)
    if broken is not None:
        raise SettingsError(f".env: line {broken.original.line} is not NAME=value")
