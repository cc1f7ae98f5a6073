"""The Compose file, by docker-compose itself, which needs no Docker for it."""

import os
from pathlib import Path

from tests.deploy.checks.programs import complaints, find_program
from tests.deploy.checks.report import Report

COMPOSE_FILE = "deploy/compose.yaml"


def check_compose(root: Path) -> Report:
    """With nothing set in the environment: a variable without a default would be a warning, and so a problem."""
    docker_compose = find_program("docker-compose", "make check-deploy")
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    command = (docker_compose, "--file", COMPOSE_FILE, "config", "--quiet")
    return Report((COMPOSE_FILE,), complaints(*command, directory=root, environment=environment))
