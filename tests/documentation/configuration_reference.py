"""Writes docs/configuration.md from the settings: `make configuration`."""

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click
from annotated_types import Ge, Gt, Le, MinLen
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from eval_worker.cli import eval_worker
from eval_worker.settings import Settings
from eval_worker.settings.quantities import Group

PAGE = Path(__file__).resolve().parents[2] / "docs" / "configuration.md"
_HEAD = """\
# Configuration

Every setting, made from the settings' own source by `make configuration`.

They are read once, at the start: from flags first, then the environment, then a file `.env` in the working directory. A
value that can't be used stops the start with one line that names the setting, and exit code 2. An empty value is none.
Secrets are shown in no log, no error and no result.
"""


def configuration_reference() -> str:
    """The whole page."""
    flags = _flags()
    return "\n".join([_HEAD, *(_section(group, flags) for group in reversed(Settings.__bases__))])


def _section(group: type[Any], flags: Mapping[str, str]) -> str:
    assert issubclass(group, Group)
    described = dict(_descriptions(group))
    rows = [
        f"| {name.upper()} | {_default(field)} | {_kind(field)} | {described[name]}{flags.get(name, '')} |"
        for name, field in group.model_fields.items()
    ]
    title = str(group.__doc__).removesuffix(".")
    return "\n".join([f"## {title}\n", "| Setting | Default | Value | Meaning |", "|---|---|---|---|", *rows, ""])


def _descriptions(group: type[Any]) -> Iterator[tuple[str, str]]:
    """The text below each field.

    Raises:
        KeyError: later, for a field without one.
    """
    (definition,) = ast.parse(inspect.getsource(group)).body
    assert isinstance(definition, ast.ClassDef)
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, inspect.cleandoc(text).replace("\n", " ").replace("|", r"\|")
            case _:
                pass


def _default(field: FieldInfo) -> str:
    value = field.get_default()
    if value is None or value == "":
        return ""
    return str(value).lower() if isinstance(value, bool) else f"`{value}`"


def _kind(field: FieldInfo) -> str:
    annotation, limits = _unwrapped(field.annotation, field.metadata)
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(annotation))
    if annotation is SecretStr:
        return "secret"
    names: Mapping[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return names[annotation] + _range(limits)


def _unwrapped(annotation: Any, metadata: list[Any]) -> tuple[Any, list[Any]]:
    """Look through `| None` and Annotated."""
    alternatives = [each for each in get_args(annotation) if each is not NoneType]
    if NoneType in get_args(annotation):
        return _unwrapped(alternatives[0], metadata)
    if hasattr(annotation, "__metadata__"):
        more = [limit for each in annotation.__metadata__ for limit in getattr(each, "metadata", [each])]
        return _unwrapped(annotation.__origin__, [*metadata, *more])
    return annotation, metadata


def _range(limits: list[Any]) -> str:
    words = [
        word
        for limit in limits
        for kind, word in (
            (Gt, f"more than {_plain(limit, 'gt')}"),
            (Ge, f"at least {_plain(limit, 'ge')}"),
            (Le, f"at most {_plain(limit, 'le')}"),
        )
        if isinstance(limit, kind)
    ]
    if any(isinstance(limit, MinLen) for limit in limits):
        words.append("not empty")
    return f", {', '.join(words)}" if words else ""


def _plain(limit: Any, name: str) -> str:
    return f"{getattr(limit, name, 0):,}".replace(",", " ")


def _flags() -> Mapping[str, str]:
    """For each setting the flags that override it, and of which commands."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for command, option in _options(eval_worker):
        if option.name in Settings.model_fields:
            found[option.name, option.opts[0]].append(command)
    words: defaultdict[str, list[str]] = defaultdict(list)
    for (name, flag), commands in found.items():
        words[name].append(f"`{flag}` of {', '.join(f'`{command}`' for command in commands)}")
    return {name: f" Flag: {'; '.join(each)}." for name, each in words.items()}


def _options(group: click.Group) -> Iterator[tuple[str, click.Option]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", option) for inner, option in _options(command))
        yield from ((name, option) for option in command.params if isinstance(option, click.Option))


if __name__ == "__main__":
    PAGE.write_text(configuration_reference(), encoding="utf-8")
