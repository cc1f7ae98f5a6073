"""What a batch is asked to do, and the files that it has to do with."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval_worker.errors import SettingsError
from eval_worker.tables.reading import STANDARD_STREAM, TableFormat, table_format

Location = Path | Literal["-"]


def location(given: str) -> Location:
    return "-" if given == STANDARD_STREAM else Path(given)


@dataclass(frozen=True, slots=True)
class BatchPlan:
    input: Location
    output: Location
    rejected: Path | None = None
    summary: Path | None = None
    in_order: bool = True
    resume: bool = False
    overwrite: bool = False
    strict: bool = False
    fail_under: float | None = None
    quiet: bool = False

    @property
    def output_file(self) -> Path | None:
        """The output, unless it is a stream: stdout, a device, a pipe."""
        if self.output == STANDARD_STREAM:
            return None
        path = Path(self.output)
        return None if path.exists() and not (path.is_file() or path.is_dir()) else path

    @property
    def output_format(self) -> TableFormat:
        return "jsonl" if self.output_file is None else table_format(self.output_file)

    @property
    def results_file(self) -> Path | None:
        """The JSON lines that are appended to: the output itself, or what a table is made of at the end."""
        path = self.output_file
        return path if path is None or self.output_format == "jsonl" else _beside(path, "jsonl")

    @property
    def rejected_file(self) -> Path | None:
        if self.rejected is not None or self.output_file is None:
            return self.rejected
        return _beside(self.output_file, "rejected.jsonl")

    @property
    def rejected_elsewhere(self) -> str | None:
        """The rejected file as seen from the output, so that both may be moved; None if it has its usual name."""
        if self.rejected is None or self.output_file is None:
            return None
        path, output = self.rejected.resolve(), self.output_file.resolve()
        return None if path == _beside(output, "rejected.jsonl") else os.path.relpath(path, output.parent)

    @property
    def progress_file(self) -> Path | None:
        return None if self.output_file is None else _beside(self.output_file, "progress")

    @property
    def is_resumable(self) -> bool:
        return self.output_file is not None and self.input != STANDARD_STREAM

    def check(self) -> None:
        """Refuse what can't work before anything is written.

        Raises:
            SettingsError: one line that names the flag or the file.
        """
        if self.output_file is not None and self.output_file.suffix.lower() == ".gz":
            raise SettingsError(f"--output {self.output}: what is zipped can't be appended to: leave out .gz")
        table_format(self.input)
        _ = self.output_format
        self._check_input_is_kept()
        self._check_distinct()
        self._check_summary()
        if self.resume:
            self._check_resumable()
        elif not self.overwrite:
            self._check_absent()

    def _check_input_is_kept(self) -> None:
        """It is read for its digest, for its length and to be judged; a named pipe would have us wait forever."""
        path = Path(self.input)
        if self.input != STANDARD_STREAM and path.exists() and not (path.is_file() or path.is_dir()):
            raise SettingsError(
                f"--input {path} is no file: it can't be read twice; use - for what comes through a pipe"
            )

    def _check_summary(self) -> None:
        """It is written last, and must not fail when all is judged."""
        if self.summary is not None and not self.summary.parent.is_dir():
            raise SettingsError(f"--summary {self.summary}: there is no directory {self.summary.parent}")
        if self.summary is not None and (self.summary.is_file() or not self.summary.exists()):  # a pipe would be ended
            _try_to_write(self.summary)

    def _check_distinct(self) -> None:
        named = {
            "--input": None if self.input == STANDARD_STREAM else Path(self.input),
            "--output": self.output_file,
            "the results": self.results_file if self.results_file != self.output_file else None,
            "--rejected": self.rejected_file,
            "the progress file": self.progress_file,
            "--summary": self.summary,
        }
        seen: dict[Path, str] = {}
        for name, path in named.items():
            if path is None:
                continue
            other = seen.setdefault(path.resolve(), name)
            if other != name:
                raise SettingsError(f"{path} can't be {other} and {name} at once")

    def _check_resumable(self) -> None:
        if self.overwrite:
            raise SettingsError("--resume goes on with what is there, --overwrite begins anew: choose one")
        if self.input == STANDARD_STREAM:
            raise SettingsError("--resume needs an input that can be read again: a file, not -")
        if self.output_file is None:
            raise SettingsError(f"--resume needs an output that can be read again: a file, not {self.output}")

    def _check_absent(self) -> None:
        for path in (self.output_file, self.results_file, self.rejected_file, self.progress_file):
            if path is not None and path.exists() and path.stat().st_size:
                raise SettingsError(f"{path} is there already: --resume goes on with it, --overwrite begins anew")


def _try_to_write(path: Path) -> None:
    """Rights are not all that it takes: root has them all, and some file systems take no file of anybody's."""
    is_new = not path.exists()
    try:
        path.open("ab").close()
        if is_new:
            path.unlink()
    except OSError as error:
        raise SettingsError(f"--summary {path} can't be written: {error.strerror or error}") from error


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}.{suffix}")
