"""What the steps of a Dockerfile make of an image, besides its files."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.deploy.image.dockerfile import exec_form
from tests.deploy.image.namespace import Root


@dataclass(frozen=True, slots=True)
class Image:
    """What `docker run` would start, and how."""

    root: Root
    entrypoint: list[str] = field(default_factory=list[str])
    command: list[str] = field(default_factory=list[str])
    health_check: list[str] = field(default_factory=list[str])
    stop_signal: str = "SIGTERM"


def _environment(image: Image, value: str) -> Image:
    added = dict(pair.split("=", 1) for pair in shlex.split(value))
    return replace(image, root=replace(image.root, environment={**image.root.environment, **added}))


def _unchanged(image: Image, _value: str) -> Image:
    return image


CHANGES: dict[str, Callable[[Image, str], Image]] = {
    "ARG": _unchanged,
    "RUN": _unchanged,
    "COPY": _unchanged,
    "LABEL": _unchanged,
    "EXPOSE": _unchanged,
    "ENV": _environment,
    "WORKDIR": lambda image, value: replace(image, root=replace(image.root, working_directory=value)),
    "USER": lambda image, value: replace(image, root=replace(image.root, user=value)),
    "ENTRYPOINT": lambda image, value: replace(image, entrypoint=exec_form(value)),
    "CMD": lambda image, value: replace(image, command=exec_form(value)),
    "HEALTHCHECK": lambda image, value: replace(image, health_check=exec_form(value.partition("CMD")[2])),
    "STOPSIGNAL": lambda image, value: replace(image, stop_signal=value),
}
