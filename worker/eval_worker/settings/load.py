"""Reads the environment and `.env`: here and nowhere else."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import ValidationError

from eval_worker.errors import SettingsError
from eval_worker.invalid_field import problem_in
from eval_worker.settings.settings import Settings

_LONGEST_SHOWN = 60


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
        raise SettingsError(_in_words(error.errors(include_url=False)[0])) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f".env can't be read: {error}") from error


def _in_words(detail: Mapping[str, Any]) -> str:
    """Name the setting and what is wrong with it, with its value where that is no secret and not named already."""
    name, problem = problem_in(detail, root="")
    if not name:
        return problem
    field = Settings.model_fields.get(name.lower())
    told = field is None or "SecretStr" in str(field.annotation) or detail["type"] == "value_error"
    value = "" if told else f", not {str(detail['input'])[:_LONGEST_SHOWN]!r}"
    return f"{name.upper()}: {problem}{value}"


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
