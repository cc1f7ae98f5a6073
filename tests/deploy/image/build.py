"""Carries out a Dockerfile's steps without Docker: each stage in a copy of a bare root."""

import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pathspec
from tests.deploy.image.dockerfile import Dockerfile, Stage, Step, expand
from tests.deploy.image.image import CHANGES, Image
from tests.deploy.image.namespace import Root
from tests.deploy.image.package_index import PackageIndex

RUN_SECONDS = 300
EXPANDED = {"ARG", "COPY", "ENV", "STOPSIGNAL", "USER", "WORKDIR"}  # in a RUN the shell does it


class Build:
    """`context` is the directory that is built from, `bare` what every base image is taken for."""

    def __init__(
        self, context: Path, bare: Path, environment: Mapping[str, str], index: PackageIndex, directory: Path
    ) -> None:
        self._context = context
        self._bare = bare
        self._environment = dict(environment)
        self._index = index
        self._directory = directory
        ignored = (context / ".dockerignore").read_text(encoding="utf-8").splitlines()
        self._ignored = pathspec.PathSpec.from_lines("gitignore", ignored)  # the last line that fits decides
        self._stages: dict[str, Path] = {}

    def image(self, dockerfile: Dockerfile) -> Image:
        images = [self._stage(stage, str(number)) for number, stage in enumerate(dockerfile.stages)]
        return images[-1]

    def _stage(self, stage: Stage, number: str) -> Image:
        root = self._directory / number
        subprocess.run(["cp", "--archive", str(self._bare), str(root)], check=True)
        self._stages |= {number: root, stage.name or number: root}
        image, arguments = Image(Root(root, self._environment)), dict[str, str]()
        for step in stage.steps:
            image = self._after(image, step, arguments)
        return image

    def _after(self, image: Image, step: Step, arguments: dict[str, str]) -> Image:
        """Carry out one step; `arguments` are the stage's ARGs so far."""
        instruction, value = step.instruction, step.value
        assert instruction in CHANGES, f"{instruction} is not carried out here: {value}"
        if instruction in EXPANDED:
            value = expand(value, {**arguments, **image.root.environment})
        match instruction:
            case "ARG":
                name, _, default = value.partition("=")
                arguments[name] = default.strip('"')
            case "RUN":
                self._run(image.root, value, arguments)
            case "COPY":
                self._copy(image.root, shlex.split(value))
            case "WORKDIR":
                (image.root.directory / value.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case _:
                pass
        return CHANGES[instruction](image, value)

    def _run(self, root: Root, script: str, arguments: Mapping[str, str]) -> None:
        environment = {**self._index.environment, **arguments, **root.environment}
        inside = replace(root, environment=environment, paths=self._index.paths)
        command = inside.command("/bin/sh", "-c", script)
        done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_SECONDS, check=False)
        assert done.returncode == 0, f"RUN {script}\n{done.stdout}{done.stderr}"

    def _copy(self, root: Root, words: list[str]) -> None:
        source = self._context
        if words[0].startswith("--from="):
            source = self._stages[words.pop(0).partition("=")[2]]
        *names, last = words
        target = root.directory / (Path(root.working_directory) / last).relative_to("/")
        for name in names:
            self._copy_one(source, name.lstrip("/"), target, into=last.endswith("/") or len(names) > 1)

    def _copy_one(self, source: Path, name: str, target: Path, *, into: bool) -> None:
        """A directory's contents, or a file. What .dockerignore names is not in the context."""
        place = source / name
        assert source != self._context or not self._ignored.match_file(name), f".dockerignore leaves out {name}"
        if place.is_dir():
            ignore = self._ignored_in if source == self._context else None
            shutil.copytree(place, target, symlinks=True, dirs_exist_ok=True, ignore=ignore)
            return
        into_directory = into or target.is_dir()
        (target if into_directory else target.parent).mkdir(parents=True, exist_ok=True)
        shutil.copy2(place, target / place.name if into_directory else target)

    def _ignored_in(self, directory: str, names: list[str]) -> set[str]:
        where = Path(directory).relative_to(self._context)
        return {name for name in names if self._ignored.match_file(where / name)}
