"""Conversations as files hold them: a list of datasets, an object with datasets and config, or a dataset a line."""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import ValidationError
from pydantic_core import from_json

from eval_worker.agentic.config import AgenticConfig
from eval_worker.agentic.dataset import Dataset
from eval_worker.errors import SettingsError
from eval_worker.invalid_field import first_problem, problem_in
from eval_worker.tables.json_lines import BOM, read_json_lines
from eval_worker.tables.reading import STANDARD_STREAM, open_records

Location = Path | Literal["-"]


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """`config` has the documented defaults where the file says nothing. `has_connector`: it names a judge, too."""

    datasets: list[Dataset] = field(repr=False)
    config: AgenticConfig = field(default_factory=AgenticConfig)
    has_connector: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """One dataset, not checked yet. `place` says where it stands: `dataset 2`, or `line 7`."""

    place: str
    document: object


def location(name: str) -> Location:
    return STANDARD_STREAM if name == STANDARD_STREAM else Path(name)


def read_conversation_file(location: Location) -> ConversationFile:
    """Read and check all of it, before anybody is paid for judging a part.

    Raises:
        SettingsError: it can't be read, or holds something else; the message names the first wrong field's place.
        EvalWorkerError: it can't be read to its end.
    """
    source = "stdin" if location == STANDARD_STREAM else str(location)
    with open_records(location) as file:
        content = file.read().removeprefix(BOM)
    if not content.strip():
        raise SettingsError(f"{source}: is empty; it must hold datasets as JSON")
    try:
        document: object = from_json(content)
    except ValueError as error:
        return ConversationFile(_checked(source, _parts_of_lines(source, content, error)))
    if isinstance(document, list):
        return ConversationFile(_checked(source, _parts_of_list(cast("list[object]", document))))
    if isinstance(document, dict) and "datasets" in document:
        return _request(source, cast("dict[str, object]", document))
    return ConversationFile(_checked(source, [_Part("dataset 1", cast("object", document))]))


def _request(source: str, request: Mapping[str, object]) -> ConversationFile:
    datasets, config = request["datasets"], _config(source, request.get("config"))
    if not isinstance(datasets, list):
        raise SettingsError(f"{source}: datasets: must be a list")
    parts = _parts_of_list(cast("list[object]", datasets))
    return ConversationFile(_checked(source, parts), config, has_connector="connector" in request)


def _parts_of_list(documents: Iterable[object]) -> Iterator[_Part]:
    return (_Part(f"dataset {number}", document) for number, document in enumerate(documents, start=1))


def _parts_of_lines(source: str, content: bytes, whole: ValueError) -> Iterator[_Part]:
    """Yield a part a line. What has no JSON object in its first line is no JSON Lines but a broken document."""
    rows = read_json_lines(io.BytesIO(content), max_bytes=len(content))
    for count, row in enumerate(rows):
        if row.problem is not None:
            problem = f"is not JSON: {whole}" if count == 0 else f"line {row.number}: {row.problem}"
            raise SettingsError(f"{source}: {problem}")
        yield _Part(f"line {row.number}", row.document)


def _config(source: str, config: object) -> AgenticConfig:
    try:
        return AgenticConfig() if config is None else AgenticConfig.of_request(config)
    except ValidationError as error:
        path, problem = first_problem(error, root="")
        raise SettingsError(f"{source}: {'.'.join(filter(None, ('config', path)))}: {problem}") from error


def _checked(source: str, parts: Iterable[_Part]) -> list[Dataset]:
    datasets: list[Dataset] = []
    problems: list[str] = []
    for part in parts:
        try:
            datasets.append(Dataset.model_validate(part.document))
        except ValidationError as error:
            problems += (_in_words(part.place, detail) for detail in error.errors(include_url=False))
    if problems:
        more = f" (the first of {len(problems)} problems)" if len(problems) > 1 else ""
        raise SettingsError(f"{source}: {problems[0]}{more}")
    if not datasets:
        raise SettingsError(f"{source}: there is no dataset in it")
    return datasets


def _in_words(place: str, detail: Mapping[str, Any]) -> str:
    """Say where it is as people count, from 1; within an interaction the field is named as JSON names it."""
    match detail["loc"]:
        case ("conversation", int(index), *inner):
            where = (place, f"interaction {index + 1}")
        case inner:
            where = (place,)
    path, problem = problem_in({**detail, "loc": tuple(inner)}, root="")
    return ": ".join(filter(None, (", ".join(where), path, problem)))
