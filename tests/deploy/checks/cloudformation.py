"""The Lambda function's template, by cfn-lint, which knows what SAM makes of it."""

from pathlib import Path

from tests.deploy.checks.programs import complaints, find_program
from tests.deploy.checks.report import Report

TEMPLATE = "deploy/lambda/template.yaml"


def check_cloudformation(root: Path) -> Report:
    cfn_lint = find_program("cfn-lint", "make check-deploy")
    return Report((TEMPLATE,), complaints(cfn_lint, "--format", "parseable", TEMPLATE, directory=root))
