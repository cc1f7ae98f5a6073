"""The Compose file, by docker-compose itself, which needs no Docker for it; and its services against each other."""

import json
import os
from pathlib import Path

from tests.deploy.checks.compose_references import broken_references
from tests.deploy.checks.programs import find_program, run
from tests.deploy.checks.report import Report

COMPOSE_FILE = "deploy/compose.yaml"


def check_compose(root: Path) -> Report:
    """With nothing set in the environment: a variable without a default would be a warning, and so a problem."""
    docker_compose = find_program("docker-compose", "make check-deploy")
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    command = (docker_compose, "--file", COMPOSE_FILE, "config", "--format", "json")
    done = run(*command, directory=root, environment=environment)
    if done.err or done.code:
        return Report((COMPOSE_FILE,), tuple(done.err.splitlines()) or (f"docker-compose ended with {done.code}",))
    return Report((COMPOSE_FILE,), tuple(broken_references(json.loads(done.out)["services"])))
