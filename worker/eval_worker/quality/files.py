"""The files that a measurement writes. What can't be written is known before a model is asked."""

from collections.abc import Iterable
from pathlib import Path

from eval_worker.errors import SettingsError
from eval_worker.quality.markdown import check_page
from eval_worker.validation.files import check_writable


def check_files(output: Path | None, markdown: Path | None, data: Iterable[Path]) -> None:
    """Refuse what would fail, or destroy the data, after everything was judged and paid.

    Raises:
        SettingsError: naming the file.
    """
    written = [path for path in (output, markdown) if path is not None]
    places = [path.resolve() for path in (*written, *data)]
    for path in written:
        if places.count(path.resolve()) > 1:
            raise SettingsError(f"{path} is named twice: what is written needs a file of its own")
        check_writable(path)
    if markdown is not None:
        check_page(markdown)
