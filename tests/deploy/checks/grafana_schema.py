"""A dashboard against Grafana's own models: what they do not take along unchanged, Grafana does not know."""

import importlib
import json
from collections.abc import Iterator
from typing import Any

from tests.deploy.checks.programs import MissingProgramError

SDK = "grafana_foundation_sdk"  # made by Grafana from its schema


def schema_problems(dashboard: dict[str, Any]) -> Iterator[str]:
    """Yield each place that is unknown, or of another type.

    Raises:
        MissingProgramError: Grafana's models are not installed.
    """
    try:
        models = importlib.import_module(f"{SDK}.models.dashboard")
        encoder = importlib.import_module(f"{SDK}.cog.encoder")
        importlib.import_module(f"{SDK}.cog.plugins").register_default_plugins()
    except ImportError as error:
        raise MissingProgramError(f"needs {SDK}: make check-deploy") from error
    try:
        known = models.Dashboard.from_json(dashboard)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        yield f"Grafana's models can't read it: {type(error).__name__}: {error}"
        return
    yield from _lost(dashboard, json.loads(encoder.JSONEncoder().encode(known)), "")


def _lost(given: Any, known: Any, place: str) -> Iterator[str]:
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key in known:
                yield from _lost(value, known[key], f"{place}.{key}")
            elif value not in (None, [], {}):  # which the models leave out
                yield f"Grafana does not know {place}.{key}"
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for number, (one, other) in enumerate(zip(given, known, strict=True)):
            yield from _lost(one, other, f"{place}[{number}]")
    elif given != known:
        yield f"Grafana reads {place} as {known!r}, not {given!r}"
