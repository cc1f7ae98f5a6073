"""The Dockerfile's own steps, carried out in a bare Debian, end in a worker that works."""

import json
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import redis
from tests.deploy.image.bare_root import ENVIRONMENT, bare_root
from tests.deploy.image.build import Build
from tests.deploy.image.container import Container
from tests.deploy.image.dockerfile import Dockerfile, Stage, Step, read_dockerfile
from tests.deploy.image.image import Image
from tests.deploy.image.package_index import this_machines_index
from tests.events import event
from tests.processes import ROOT
from tests.servers.ports import free_port
from tests.waiting import eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.settings import Settings

MEGABYTE = 1_000_000
NOBODY = "10001"
NOT_SHIPPED = ("pip", "ensurepip", "hatchling", "pytest", "ruff", "pyarrow", "scipy")


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with built(ROOT / "Dockerfile") as image:
        yield image


@contextmanager
def built(dockerfile: Path) -> Generator[Image]:
    """Build in a directory that goes afterwards; not in pytest's, of which every file is searched for secrets."""
    with TemporaryDirectory(prefix="image-") as stages:
        build = Build(ROOT, bare_root(), ENVIRONMENT, this_machines_index(), Path(stages))
        yield build.image(read_dockerfile(dockerfile))


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with EmbeddedServer.on_port(free_port(), tmp_path / "valkey") as server:
        yield server


def environment(valkey: EmbeddedServer, port: int) -> dict[str, str]:
    return {"REDIS_ADDR": valkey.addr, "JUDGE_MODEL": "offline", "METRICS_HOST": "127.0.0.1", "METRICS_PORT": str(port)}


def test_a_worker_judges_as_nobody_on_a_read_only_root_and_stops_cleanly(image: Image, valkey: EmbeddedServer):
    port = free_port()
    streams: Any = redis.Redis.from_url(valkey.url, protocol=2)
    with streams, Container(image, environment=environment(valkey, port)) as container:
        container.wait_until_healthy()
        streams.xadd("eval-events", {"payload": json.dumps(event("evt-in-a-container"))})
        ((_, result),) = eventually_sync(lambda: streams.xrange("eval-results"))

        assert result[b"event_id"] == b"evt-in-a-container"
        assert result[b"verdict"] == b"pass"
        status = Path(f"/proc/{container.pid}/status").read_text(encoding="ascii").splitlines()
        assert [line.split()[1:] for line in status if line.startswith(("Uid", "Gid"))] == [[NOBODY] * 4] * 2
        assert [line.split()[1] for line in status if line.startswith(("CapBnd", "CapEff", "CapPrm"))] == ["0" * 16] * 3
        assert "Read-only file system" in container.run("touch", "/venv/written").stderr
        assert container.run("eval-worker", "status").returncode == 0
        assert container.stop(seconds=20) == 0, "".join(container.log)

    assert "stopped" in container.log[-1]


def test_the_api_runs_from_the_same_image(image: Image, valkey: EmbeddedServer):
    port = free_port()
    ours = {**environment(valkey, port), "EVAL_AGENT_API_PORT": str(port)}
    with Container(image, "api", environment=ours) as container:
        eventually_sync(lambda: any('"ready"' in line for line in container.log))

        assert container.stop(seconds=20) == 0, "".join(container.log)


def test_the_health_check_fails_where_no_worker_answers(image: Image, valkey: EmbeddedServer):
    with Container(image, "results", "--follow", environment=environment(valkey, free_port())) as container:
        assert "Connection refused" in container.run(*image.health_check).stderr


@pytest.mark.parametrize("package", NOT_SHIPPED)
def test_what_builds_and_tests_is_not_shipped(image: Image, package: str):
    command = image.root.command("python", "-c", f"import {package}")

    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert f"No module named '{package}'" in done.stderr


def test_the_image_adds_no_more_than_it_has_to_its_base(image: Image):
    added = (image.root.directory / "venv").rglob("*")
    assert sum(file.lstat().st_size for file in added) < 110 * MEGABYTE


def test_a_step_that_fails_fails_the_build(tmp_path: Path):
    dockerfile = tmp_path / "Dockerfile"
    dockerfile.write_text("FROM scratch\nRUN true\nRUN test -e /not-there\n", encoding="utf-8")

    with pytest.raises(AssertionError, match="RUN test -e /not-there"), built(dockerfile):
        pass


@pytest.mark.parametrize(
    ("step", "finding"),
    [
        (Step("COPY", "tests tests"), ".dockerignore leaves out tests"),
        (Step("ENTRYPOINT", "eval-worker"), "Expecting value"),
        (Step("ADD", "worker worker"), "ADD is not carried out"),
    ],
)
def test_a_step_that_docker_would_refuse_or_do_otherwise_fails_the_build(step: Step, finding: str, tmp_path: Path):
    (tmp_path / "bare").mkdir()
    build = Build(ROOT, tmp_path / "bare", ENVIRONMENT, this_machines_index(), tmp_path)

    with pytest.raises((AssertionError, ValueError), match=finding):
        build.image(Dockerfile({}, [Stage("", "scratch", [step])]))


def test_the_image_sets_nothing_but_settings_and_pythons_own(image: Image):
    ours = {name for name in image.root.environment if not name.startswith("PYTHON")} - set(ENVIRONMENT)
    assert {name.lower() for name in ours} <= set(Settings.model_fields)
