"""What `judges.yaml` says of each judge, validated; and the digest that every result carries."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from eval_worker.errors import SettingsError
from eval_worker.evaluation.interaction import Interaction
from eval_worker.invalid_field import first_problem

BUILT_IN_JUDGES = ("relevance", "faithfulness", "coherence", "completeness", "instruction")
LOWEST_LEVEL, HIGHEST_LEVEL = 0, 5
STAGE_SUFFIX = "-judge"
MOST_TOKENS = 64_000


class ModelOptions(BaseModel):
    """Per-judge model settings. Unset means the provider's own default; newer Claude models refuse a temperature."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model_id: str | None = None
    temperature: Annotated[float, Field(ge=0, le=1)] | None = None
    max_tokens: Annotated[int, Field(ge=64, le=MOST_TOKENS)] = 1024


class WorkedExample(BaseModel):
    """A made-up exchange and its judgement, which shows the model how the levels are meant."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: Annotated[str, Field(min_length=1)]
    answer: str
    context: str = ""
    reference: str = ""
    rationale: Annotated[str, Field(min_length=1)]
    level: Annotated[int, Field(strict=True, ge=LOWEST_LEVEL, le=HIGHEST_LEVEL)]

    @property
    def interaction(self) -> Interaction:
        return Interaction(self.query, self.answer, self.context, self.reference)


class JudgeDefinition(BaseModel):
    """One judge: the question it answers, what each level from 0 to 5 means, and an example of one."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,47}$")]
    enabled: bool = True
    requires_context: bool = False
    requires_reference: bool = False
    verifies_instructions: bool = False
    question: Annotated[str, Field(min_length=1)]
    guidance: str = ""
    levels: dict[int, str]
    example: WorkedExample | None = None
    model: ModelOptions = ModelOptions()

    def __hash__(self) -> int:
        return hash((self.name, self.question))  # the levels, as a mapping, have no hash

    @property
    def stage_name(self) -> str:
        return self.name + STAGE_SUFFIX

    @model_serializer(mode="wrap")
    def _without_what_is_not_asked(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """A judge that uses none of the later keys is written, and so digested, as before there were any."""
        written: dict[str, Any] = serialize(self)
        for key in ("requires_reference", "verifies_instructions", "example"):
            if not written[key]:
                del written[key]
        return written

    @model_validator(mode="after")
    def _levels_are_anchored(self) -> Self:
        wanted = set(range(LOWEST_LEVEL, HIGHEST_LEVEL + 1))
        if set(self.levels) != wanted:
            raise ValueError(f"levels must describe each of 0 to 5, got {sorted(self.levels)}")
        return self


@dataclass(frozen=True, slots=True)
class JudgeSet:
    """The enabled judges in stage order, with the digest of all that shapes their judgement; and those left out."""

    judges: tuple[JudgeDefinition, ...]
    digest: str
    disabled: tuple[JudgeDefinition, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(judge.name for judge in self.judges)

    def find(self, name: str) -> JudgeDefinition | None:
        return next((judge for judge in self.judges if judge.name == name), None)


class _File(BaseModel):
    judges: list[dict[str, Any]]


def load_judges(built_in: str, user_file: str | None = None, *, source: str = "judges.yaml") -> JudgeSet:
    """Reads the built-in YAML and, over it, the user's own.

    The user's file is laid over the built-in one judge by judge and key by key, so that it only has to say what is
    different: `{name: coherence, enabled: false}` is enough to drop one. Names that are not built in are added, in
    file order.

    Raises:
        SettingsError: the YAML is broken, a judge is incomplete, or none is left enabled.
    """
    raw = {str(entry["name"]): entry for entry in _entries(built_in, "the built-in judges.yaml")}
    for entry in _entries(user_file, source) if user_file is not None else []:
        name = str(entry["name"])
        raw[name] = {**raw.get(name, {}), **entry}
    defined = [_definition(entry, source) for entry in raw.values()]
    judges = tuple(judge for judge in defined if judge.enabled)
    if not judges:
        raise SettingsError(f"JUDGES_FILE: {source} leaves no judge enabled; enable at least one")
    disabled = tuple(judge for judge in defined if not judge.enabled)
    return JudgeSet(judges, _digest(judges), disabled)


def _entries(text: str, source: str) -> list[dict[str, Any]]:
    try:
        document: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise SettingsError(f"JUDGES_FILE: {source} is not YAML: {_where_and_why(error)}") from error
    try:
        entries = _File.model_validate(document).judges
    except ValidationError as error:
        raise SettingsError(f"JUDGES_FILE: {source} must have a list under `judges:`") from error
    names: set[str] = set()
    for position, entry in enumerate(entries, 1):
        name: Any = entry.get("name")
        if not isinstance(name, str):
            raise SettingsError(f"JUDGES_FILE: {source}: judge {position} has no name")
        if name in names:
            raise SettingsError(f"JUDGES_FILE: {source}: judge {name!r} is there twice")
        names.add(name)
    return entries


def _where_and_why(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: {error.problem}"
    return str(error).splitlines()[0]


def _definition(entry: dict[str, Any], source: str) -> JudgeDefinition:
    try:
        return JudgeDefinition.model_validate(entry)
    except ValidationError as error:
        field, problem = first_problem(error, root="its definition")
        problem = problem.replace("a JSON object", "a mapping")
        if str(entry["name"]).endswith(STAGE_SUFFIX):
            problem += f" (names stand without {STAGE_SUFFIX}: {str(entry['name']).removesuffix(STAGE_SUFFIX)})"
        raise SettingsError(f"JUDGES_FILE: {source}: judge {entry['name']!r}: {field}: {problem}") from error


def _digest(judges: Sequence[JudgeDefinition]) -> str:
    canonical = "\n".join(judge.model_dump_json() for judge in judges)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()
