"""The figures as Markdown, between two markers of a page that says more."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.quality.rows import TEXT_COLUMNS, Table, tables

BEGIN = "<!-- quality: begin (written by eval-worker quality --markdown) -->"
END = "<!-- quality: end -->"
_HEADINGS = ("Order", "Calibration", "Early exits, time and cost", "Against the baselines")


def check_page(path: Path) -> None:
    """Find out before anything is judged whether the page can take the tables.

    Raises:
        SettingsError: it is there, and has no markers.
    """
    if path.exists():
        _around(path)


def write_page(path: Path, document: Mapping[str, Any]) -> None:
    """Replace what stands between the markers; a page that is not there is made of nothing else.

    Raises:
        EvalWorkerError: it can't be written.
    """
    before, after = _around(path) if path.exists() else ("", "\n")
    try:
        path.write_text(f"{before}{BEGIN}\n\n{markdown(document)}\n{END}{after}", encoding="utf-8")
    except OSError as error:
        raise EvalWorkerError(f"--markdown {path} can't be written: {error.strerror}") from error


def markdown(document: Mapping[str, Any]) -> str:
    sections = zip(_HEADINGS, tables(document), strict=True)
    return "\n".join(f"### {heading}\n\n{_table(table)}" for heading, table in sections if table.rows)


def _table(table: Table) -> str:
    dashes = ["---" if column in TEXT_COLUMNS else "--:" for column in table.columns]
    return "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in (table.columns, dashes, *table.rows))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _around(path: Path) -> Sequence[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"--markdown {path} can't be read: {error}") from error
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SettingsError(f"--markdown {path}: it needs the lines {BEGIN} and {END}, between which the tables go")
    return before, after
