"""A Dockerfile read as stages of steps, by the library that knows its grammar."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dockerfile_parse import DockerfileParser


@dataclass(frozen=True, slots=True)
class Step:
    instruction: str
    value: str


@dataclass(slots=True)
class Stage:
    name: str
    base: str
    steps: list[Step] = field(default_factory=list[Step])


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """`arguments` are those that stand before the first stage, with their defaults."""

    arguments: dict[str, str]
    stages: list[Stage]


def read_dockerfile(path: Path) -> Dockerfile:
    parser = DockerfileParser(str(path), env_replace=False)
    arguments: dict[str, str] = {}
    stages: list[Stage] = []
    for line in parser.structure:
        step = Step(line["instruction"], line["value"])
        if step.instruction == "COMMENT":
            continue
        if step.instruction == "FROM":
            base, _, name = re.split(r"(\s+AS\s+|$)", step.value, maxsplit=1, flags=re.IGNORECASE)
            stages.append(Stage(name, base))
        elif stages:
            stages[-1].steps.append(step)
        else:
            name, _, default = step.value.partition("=")
            arguments[name] = default
    return Dockerfile(arguments, stages)


def expand(text: str, variables: Mapping[str, str]) -> str:
    """Put in `$NAME` and `${NAME}`, as Docker does outside of RUN; what is not set is empty."""
    return re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda found: variables.get(found[1] or found[2], ""), text)


def exec_form(value: str) -> list[str]:
    """The words of a command that no shell stands before; a shell would not pass SIGTERM on."""
    words = json.loads(value)
    assert isinstance(words, list), f"not in the exec form: {value}"
    return [str(word) for word in words]
