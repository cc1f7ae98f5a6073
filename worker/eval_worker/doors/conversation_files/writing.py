"""The documented response as a file. What can't be written is known before a model is asked."""

import json
import os
from pathlib import Path

from eval_worker.agentic.report import AgenticReport
from eval_worker.doors.conversation_files.reading import Location
from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.tables.reading import STANDARD_STREAM


def check_output(output: Path, source: Location) -> None:
    """Refuse what would fail, or destroy the input, after everything was judged and paid.

    Raises:
        SettingsError: naming the file.
    """
    folder = output.resolve().parent
    if str(output) == STANDARD_STREAM:
        raise SettingsError("--output -: name a file; --json writes the response to stdout")
    if source != STANDARD_STREAM and output.resolve() == Path(source).resolve():
        raise SettingsError(f"--output {output}: is the input; name another file")
    if output.is_dir():
        raise SettingsError(f"--output {output}: is a directory; name a file")
    if not folder.is_dir():
        raise SettingsError(f"--output {output}: there is no directory {folder}")
    if not os.access(output if output.exists() else folder, os.W_OK):
        raise SettingsError(f"--output {output}: permission denied")


def write_response(output: Path, report: AgenticReport) -> None:
    """Write it in place of what was there.

    Raises:
        EvalWorkerError: it can't be written.
    """
    try:
        output.write_text(as_json(report) + "\n", encoding="utf-8")
    except OSError as error:
        raise EvalWorkerError(f"--output {output}: {error.strerror}") from error


def as_json(report: AgenticReport) -> str:
    return json.dumps(report.as_response(), ensure_ascii=False, allow_nan=False, indent=2)
