"""Dockerfiles, by hadolint."""

from pathlib import Path

from tests.deploy.checks.programs import complaints, find_program
from tests.deploy.checks.report import Report

DOCKERFILES = ("Dockerfile", "deploy/lambda/Dockerfile")


def check_dockerfiles(root: Path) -> Report:
    hadolint = find_program("hadolint", "make check-deploy")
    return Report(DOCKERFILES, complaints(hadolint, "--no-color", *DOCKERFILES, directory=root))
