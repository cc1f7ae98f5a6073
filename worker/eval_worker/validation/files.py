"""The files that a validation writes: pairs and reports. What can't be written is known before a model is asked."""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.tables.reading import STANDARD_STREAM
from eval_worker.validation.document import full_report
from eval_worker.validation.pairs import Pair
from eval_worker.validation.run import Validation, ValidationPlan

Renderer = Callable[[dict[str, Any]], str]

_HTML = ".html"
_FORMATS = (_HTML, ".json")
_JSON: Any = {"ensure_ascii": False, "allow_nan": False}


def check_files(plan: ValidationPlan, output: Path | None, reports: Sequence[Path]) -> None:
    """Refuse what would fail, or destroy an input, after everything was judged and paid.

    Raises:
        SettingsError: naming the file.
    """
    for report in reports:
        if report.suffix.lower() not in _FORMATS:
            raise SettingsError(f"--report {report}: the name must end in .html or .json")
    written = [path for path in (output, plan.cache, *reports) if path]
    read = [path for path in (plan.input, plan.results, plan.compare_with) if path]
    places = [path.resolve() for path in (*written, *read)]
    for place, path in zip(places, written, strict=False):
        if str(path) == STANDARD_STREAM:
            raise SettingsError(f"{path}: name a file: the figures go to stdout")
        if places.count(place) > 1:
            raise SettingsError(f"{path} is named twice: what is written needs a file of its own")
        check_writable(path)


def html_renderer(reports: Iterable[Path]) -> Renderer | None:
    """Load what draws, where a report wants it: it takes time, and must not be found missing after all is judged."""
    if not any(map(_is_html, reports)):
        return None
    from eval_worker.validation.html_report import render_html  # noqa: PLC0415 (see above)

    return render_html


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    write_text(path, "".join(json.dumps(pair.as_json(), **_JSON) + "\n" for pair in pairs))


def write_reports(paths: Sequence[Path], validation: Validation, render_html: Renderer | None) -> None:
    if not paths:
        return
    report = full_report(validation, datetime.now(UTC).isoformat(timespec="seconds"))
    for path in paths:
        if render_html is not None and _is_html(path):
            write_text(path, render_html(report))
        else:
            write_text(path, json.dumps(report, **_JSON, indent=2) + "\n")


def _is_html(path: Path) -> bool:
    return path.suffix.lower() == _HTML


def check_writable(path: Path) -> None:
    folder = path.resolve().parent
    if path.is_dir():
        raise SettingsError(f"{path} is a directory: name a file")
    if not folder.is_dir():
        raise SettingsError(f"{path} can't be written: there is no directory {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise SettingsError(f"{path} can't be written: permission denied")


def write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise EvalWorkerError(f"{path} can't be written: {error.strerror}") from error
