"""Tool use as it is given: the calls that were made, and the calls that would have been right."""

import sys
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Annotated, Any, TypeVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, ValidationError

from eval_worker.agentic.tools.json_value import Json, check_json
from eval_worker.agentic.tools.shown import shown
from eval_worker.invalid_field import first_problem

Model = TypeVar("Model", bound=BaseModel)


def _nothing_for_null(value: object) -> object:
    return {} if value is None else value


def _no_items_for_null(value: object) -> object:
    return [] if value is None else value


def _whole(value: object) -> object:
    """JSON has one kind of number, and what a data frame writes for 1 is 1.0."""
    if not isinstance(value, float):
        return value
    if not value.is_integer():
        raise ValueError("must be a whole number")
    return int(value)


Step = Annotated[int, BeforeValidator(_whole)]
ToolName = Annotated[str, Field(min_length=1)]
Names = Annotated[list[str], BeforeValidator(_no_items_for_null)]
Arguments = Annotated[dict[str, Any], AfterValidator(check_json), BeforeValidator(_nothing_for_null)]
Accepted = Annotated[dict[str, list[Json]], AfterValidator(check_json), BeforeValidator(_nothing_for_null)]


def _tolerance(value: object) -> float | dict[str, float]:
    """A union of the two would name its branches in what it says of a wrong value."""
    if isinstance(value, dict):
        distances = cast("dict[str, object]", value)
        return {argument: _distance(distance) for argument, distance in distances.items()}
    return _distance(value)


def _distance(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= sys.float_info.max:
        raise ValueError("must be a number of at least 0, or one by argument")
    return float(value)


Tolerance = Annotated[float | dict[str, float], PlainValidator(_tolerance)]


class _Wire(BaseModel):
    """Unknown keys are ignored (`result` is one: what a tool returned is not compared); types are taken as they are."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class ToolCall(_Wire):
    """One call. `step` orders the calls; calls of one step ran side by side."""

    tool_name: ToolName
    parameters: Arguments = {}
    step: Step | None = None


class ExpectedCall(ToolCall):
    """One call that would have been right, and how far its arguments may be others.

    `accepted`: {argument: [values]}, right as well as the one in `parameters`; text in them is compared leniently.
    `optional`: arguments that may be left out. `ignored`: arguments that are not compared. `subset`: arguments that are
    not named here may be there. `tolerance`: how far off a number may be, for all arguments or {argument: distance}.
    """

    accepted: Accepted = {}
    optional: Names = []
    ignored: Names = []
    subset: bool = False
    tolerance: Tolerance = 0.0

    @cached_property
    def optional_names(self) -> frozenset[str]:
        return frozenset(self.optional)

    @cached_property
    def ignored_names(self) -> frozenset[str]:
        return frozenset(self.ignored)

    @property
    def is_plain(self) -> bool:
        """Whether nothing but its own parameters is right."""
        return not (self.accepted or self.optional or self.ignored or self.subset or self.tolerance)

    def tolerance_of(self, argument: str) -> float:
        return self.tolerance.get(argument, 0.0) if isinstance(self.tolerance, dict) else self.tolerance


class ToolUse(_Wire):
    """`agentic`: what the agent did in one interaction."""

    tools_used: Annotated[list[ToolCall], BeforeValidator(_no_items_for_null)] = []
    final_answer_uses_tools: bool | None = None


class ExpectedToolUse(_Wire):
    """`ground_truth_agentic`: what would have been right.

    Without `expected_tools` nothing is said of any tool but the forbidden ones; an empty list says that none was
    needed.
    """

    expected_tools: list[ExpectedCall] | None = None
    tool_sequence_matters: bool | None = None
    forbidden_tools: Names = []


def check_tool_use(agentic: dict[str, Any]) -> dict[str, Any]:
    """Return the documented dictionary as it is.

    Raises:
        ValueError: naming the field that is wrong, and how.
    """
    read_tool_use(agentic)
    return agentic


def check_expected_tool_use(ground_truth_agentic: dict[str, Any]) -> dict[str, Any]:
    """Return the documented dictionary as it is.

    Raises:
        ValueError: naming the field that is wrong, and how.
    """
    read_expected_tool_use(ground_truth_agentic)
    return ground_truth_agentic


def says_nothing(ground_truth_agentic: Mapping[str, Any] | None) -> bool:
    """Whether it neither expects nor forbids a tool: no score follows from that, and least of all a good one."""
    known = ground_truth_agentic or {}
    return known.get("expected_tools") is None and not known.get("forbidden_tools")


def read_tool_use(agentic: Mapping[str, Any] | None, root: str = "") -> ToolUse:
    """Read what the agent did; None means that it used no tool.

    Raises:
        ValueError: naming the field under `root` that is wrong, and how.
    """
    return ToolUse() if agentic is None else _read(ToolUse, agentic, root)


def read_expected_tool_use(
    ground_truth_agentic: Mapping[str, Any], root: str = "", also_forbidden: Collection[str] = ()
) -> ExpectedToolUse:
    """Read what was expected; `also_forbidden` tools join those that it forbids itself.

    Raises:
        ValueError: naming the field under `root` that is wrong, and how; or a tool that is expected and forbidden.
    """
    expected = _read(ExpectedToolUse, ground_truth_agentic, root)
    forbidden = [*expected.forbidden_tools, *also_forbidden]
    for position, call in enumerate(expected.expected_tools or ()):
        if call.tool_name in forbidden:
            path = ".".join(filter(None, (root, "expected_tools", str(position), "tool_name")))
            raise ValueError(f"{path}: {shown(call.tool_name)} is forbidden as well; leave it out of one of the two")
    return expected.model_copy(update={"forbidden_tools": forbidden})


def _read(model: type[Model], given: Mapping[str, Any], root: str) -> Model:
    try:
        return model.model_validate(dict(given) if isinstance(given, Mapping) else given)  # pyright: ignore[reportUnnecessaryIsInstance] (callers need not be typed)
    except ValidationError as error:
        field, problem = first_problem(error, root="")
        path = ".".join(filter(None, (root, field)))
        raise ValueError(f"{path}: {problem}") from error
