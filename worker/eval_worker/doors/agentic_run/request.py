"""What is asked of a run: `{"connector": {...}, "datasets": [...], "config": {...}}`, checked before it is done."""

from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import from_json

from eval_worker.agentic.config import AgenticConfig
from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.dataset import Dataset
from eval_worker.doors.agentic_run.refusal import RunError, RunRefusedError
from eval_worker.errors import MissingExtraError
from eval_worker.event import Wire
from eval_worker.invalid_field import first_problem

Model = TypeVar("Model", bound=BaseModel)


class Connector(Wire):
    """Who judges: a chat model's class path with what its constructor takes, or `offline` or `bedrock` without."""

    class_path: Annotated[
        str,
        Field(
            min_length=1,
            description="A chat model of LangChain that is allowed here, `offline`, or `bedrock`.",
            examples=["langchain_openai.chat_models.ChatOpenAI", "offline"],
        ),
    ]
    params: Annotated[
        dict[str, Any] | None,
        Field(description="What the chat model's constructor takes: `model`, `api_key`, `temperature` and so on."),
    ] = None


class Work(Wire):
    """What is judged, and how."""

    datasets: Annotated[list[Dataset], Field(min_length=1, description="Each is one complete conversation.")]
    config: AgenticConfig | None = None


class RunDocument(Work):
    """The whole request, as it is described to callers; it is read part by part, so that each error has its words."""

    connector: Connector


@dataclass(frozen=True, slots=True)
class Judging:
    """A request's conversations and how they are judged, all checked."""

    datasets: list[Dataset]
    config: AgenticConfig
    criteria: Criteria


def read_document(body: bytes) -> dict[str, Any]:
    """Read a body as a JSON object.

    Raises:
        RunRefusedError: it is none.
    """
    if not body.strip():
        raise RunRefusedError("body: must be a JSON object, and there is no body")
    try:
        document: object = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise RunRefusedError(f"body: is not JSON: {error}") from None  # the cause would hold the whole body
    if not isinstance(document, dict):
        raise RunRefusedError("body: must be a JSON object")
    return cast("dict[str, Any]", document)


def read_connector(document: dict[str, Any]) -> Connector:
    """Read which model is to judge. Whether it may be had is not decided here.

    Raises:
        RunRefusedError: there is no connector, no class path, or a value of another type.
    """
    given: object = document.get("connector")
    if given is None:
        raise RunRefusedError(RunError.NO_CONNECTOR)
    if not isinstance(given, dict):
        raise RunRefusedError("connector: must be a JSON object")
    class_path: object = cast("dict[str, Any]", given).get("class_path")
    if class_path is None or class_path == "":
        raise RunRefusedError(RunError.NO_CLASS_PATH)
    try:
        return Connector.model_validate(given)
    except ValidationError as error:
        field, problem = first_problem(error)
        raise RunRefusedError(RunError.CONNECTOR_FAILED, f"connector.{field}: {problem}") from None


def read_judging(document: dict[str, Any]) -> Judging:
    """Read the conversations and the configuration; a part that is null or left out has its defaults.

    Raises:
        RunRefusedError: there is nothing to judge, or the field that is wrong.
    """
    given: object = document.get("datasets")
    if given is None or given == []:
        raise RunRefusedError(RunError.NO_DATASETS)
    try:
        work = Work.model_validate({"datasets": given, "config": document.get("config")})
        config = AgenticConfig() if work.config is None else _config(document["config"])
    except ValidationError as error:
        problem = ": ".join(first_problem(error))
        if isinstance(given, list) and not _any_qa_id(cast("list[object]", given)):
            raise RunRefusedError(RunError.NO_QA_IDS, problem) from None
        raise RunRefusedError(problem) from None
    return Judging(work.datasets, config, _criteria(config))


def _config(given: object) -> AgenticConfig:
    try:
        return AgenticConfig.of_request(given)
    except ValidationError as error:
        field, problem = first_problem(error)
        raise RunRefusedError(f"config.{field}: {problem}") from None


def _criteria(config: AgenticConfig) -> Criteria:
    try:
        return config.as_criteria()
    except MissingExtraError as error:
        raise RunRefusedError(f"config.statistical_mode: {error}") from error


def _any_qa_id(datasets: list[object]) -> bool:
    """Look whether any interaction has one, in documents that need not have the right form; null and "" are none."""
    given = [turn.get("qa_id") for dataset in datasets for turn in _objects_in(dataset, "conversation")]
    return any(qa_id is not None and qa_id != "" for qa_id in given)


def _objects_in(document: object, name: str) -> list[dict[str, Any]]:
    parts: object = cast("dict[str, Any]", document).get(name) if isinstance(document, dict) else None
    items = cast("list[object]", parts) if isinstance(parts, list) else []
    return [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]
