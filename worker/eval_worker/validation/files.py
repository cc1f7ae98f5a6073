"""The files that a validation writes: pairs and reports. What can't be written is known before a model is asked."""

import json
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.validation.document import full_report
from eval_worker.validation.html_report import render_html
from eval_worker.validation.pairs import Pair
from eval_worker.validation.run import Validation, ValidationPlan

_FORMATS = (".html", ".json")


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
        if places.count(place) > 1:
            raise SettingsError(f"{path} is named twice: what is written needs a file of its own")
        _check_writable(path)


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    _write(path, "".join(json.dumps(pair.as_json(), ensure_ascii=False, allow_nan=False) + "\n" for pair in pairs))


def write_reports(paths: Sequence[Path], validation: Validation) -> None:
    if not paths:
        return
    report = full_report(validation, datetime.now(UTC).isoformat(timespec="seconds"))
    for path in paths:
        if path.suffix.lower() == ".json":
            _write(path, json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
        else:
            _write(path, render_html(report))


def _check_writable(path: Path) -> None:
    folder = path.resolve().parent
    if path.is_dir():
        raise SettingsError(f"{path} is a directory: name a file")
    if not folder.is_dir():
        raise SettingsError(f"{path} can't be written: there is no directory {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise SettingsError(f"{path} can't be written: permission denied")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise EvalWorkerError(f"{path} can't be written: {error.strerror}") from error
