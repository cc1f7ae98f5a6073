"""The arguments of one call against those of the call that was expected of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from eval_worker.agentic.tools.comparison import EXACT, Comparison, may_be_left_out
from eval_worker.agentic.tools.tool_use import ExpectedCall, ToolCall


@dataclass(frozen=True, slots=True)
class ArgumentMatch:
    """How many of the arguments that count are right; `count` is their union over both calls, never 0."""

    right: int
    count: int

    @classmethod
    def perfect(cls, count: int) -> Self:
        """All are right. A call that takes no argument and was given none is right as a whole: 1 of 1."""
        return cls(max(count, 1), max(count, 1))

    @property
    def share(self) -> float:
        return self.right / self.count


def compare_arguments(used: ToolCall, expected: ExpectedCall) -> ArgumentMatch:
    names = counted_arguments(used, expected)
    if not names:
        return ArgumentMatch.perfect(0)
    return ArgumentMatch(sum(is_right(name, used, expected) for name in names), len(names))


def wrong_arguments(used: ToolCall, expected: ExpectedCall) -> Iterator[str]:
    """Name those that are missing, not expected, or have another value; the expected ones first."""
    return (name for name in counted_arguments(used, expected) if not is_right(name, used, expected))


def counted_arguments(used: ToolCall, expected: ExpectedCall) -> list[str]:
    """Name the arguments of both calls, each once: those expected or given, without those that may be left out and are.

    An accepted argument that `parameters` lacks may be left out, too: the expected call itself does so.
    """
    required = [name for name in expected.parameters if name in used.parameters or not _is_optional(name, expected)]
    others = [name for name in used.parameters if name not in expected.parameters and _counts(name, expected)]
    return [name for name in (*required, *others) if name not in expected.ignored_names]


def is_right(name: str, used: ToolCall, expected: ExpectedCall) -> bool:
    if name not in used.parameters:
        return False
    value = used.parameters[name]
    if (accepted := expected.accepted.get(name)) is not None:
        comparison = Comparison(expected.tolerance_of(name))
        return comparison.accepts(value, accepted, expected.parameters.get(name, _NOTHING))
    if name in expected.parameters:
        comparison = Comparison(expected.tolerance_of(name)) if expected.tolerance else EXACT
        return comparison.same(value, expected.parameters[name])
    return name in expected.optional_names  # no value is told, so any is right


_NOTHING = object()
"""What no value is the same as, for an argument that the expected call itself leaves out."""


def _is_optional(name: str, expected: ExpectedCall) -> bool:
    return name in expected.optional_names or may_be_left_out(expected.accepted.get(name, ()))


def _counts(name: str, expected: ExpectedCall) -> bool:
    """Whether an argument that `parameters` lacks is looked at: with `subset` only where something is known of it."""
    return not expected.subset or name in expected.accepted or name in expected.optional_names
