"""Which field a validation refused, and why, in words that stand alone on one line."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError

_PLAINER = {
    "missing": "is required",
    "string_type": "must be text, not {kind}",
    "string_too_short": "must not be empty",
    "model_type": "must be a JSON object, not {kind}",
    "model_attributes_type": "must be a JSON object, not {kind}",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number, not {number}",
    "int_type": "must be a whole number, not {number}",
    "float_parsing": "must be a number",
    "float_type": "must be a number, not {kind}",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false, not {kind}",
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "extra_forbidden": "is no key that is known here",
    "literal_error": "must be {expected}",
    "union_tag_invalid": "must be one of {expected_tags}",
    "union_tag_not_found": "must have {discriminator}",
    "dict_type": "must be a JSON object, not {kind}",
    "list_type": "must be a list, not {kind}",
    "too_short": "must not be empty",
}
_LONGEST_PATH = 200
_KINDS = {
    "bool": "a boolean",
    "int": "a number",
    "float": "a number",
    "str": "text",
    "list": "a list",
    "dict": "an object",
    "NoneType": "null",
}


def first_problem(error: "ValidationError", *, root: str = "payload") -> tuple[str, str]:
    """Return the dotted path of the first refused field (`root` for the whole) and what is wrong with it.

    The refused value itself is not repeated, as it may be a secret, or a megabyte; but for a number that is not whole.
    """
    return problem_in(error.errors(include_url=False)[0], root=root)


def problem_in(detail: Mapping[str, Any], *, root: str = "payload") -> tuple[str, str]:
    """Return the same of one of the details that a validation error lists."""
    path = _in_short(".".join(str(part) for part in detail["loc"])) or root
    plain = _PLAINER.get(detail["type"])
    if plain is None:
        return path, detail["msg"].removeprefix("Value error, ")
    given: object = detail["input"]
    kind = _KINDS.get(type(given).__name__, "something else")
    number = repr(given) if isinstance(given, float) else kind
    bounds = {name: _as_written(bound) for name, bound in detail.get("ctx", {}).items()}
    return path, plain.format(kind=kind, number=number, **bounds)


def _as_written(bound: object) -> object:
    """Of a bound that is whole, 0 and not 0.0."""
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def _in_short(path: str) -> str:
    """Keep it on one line: a part of it may be a key that a caller made up."""
    shown = path if path.isprintable() else repr(path)[1:-1]
    return shown if len(shown) <= _LONGEST_PATH else shown[:_LONGEST_PATH] + "…"
