"""The command: which checks there are, and how they are run."""

import sys
from collections.abc import Callable
from pathlib import Path

import click
from tests.deploy.checks.cloudformation import check_cloudformation
from tests.deploy.checks.compose import check_compose
from tests.deploy.checks.dockerfiles import check_dockerfiles
from tests.deploy.checks.grafana import check_grafana
from tests.deploy.checks.kubernetes import check_kubernetes
from tests.deploy.checks.links import check_links
from tests.deploy.checks.programs import MissingProgramError
from tests.deploy.checks.prometheus import check_prometheus
from tests.deploy.checks.report import Report
from tests.deploy.checks.systemd import check_systemd

ROOT = Path(__file__).resolve().parents[3]

# A check takes the root of a checkout. The planted faults of test_planted_faults.py go the same way.
CHECKS: dict[str, Callable[[Path], Report]] = {
    "dockerfiles": check_dockerfiles,
    "compose": check_compose,
    "kubernetes": check_kubernetes,
    "systemd": check_systemd,
    "cloudformation": check_cloudformation,
    "prometheus": check_prometheus,
    "grafana": check_grafana,
    "links": check_links,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(CHECKS)))
@click.option("--root", type=click.Path(path_type=Path, exists=True, file_okay=False), default=ROOT)
def main(names: tuple[str, ...], root: Path) -> None:
    """Check what is deployed, each kind of file by its own tool; end with 1 if there is anything to mend."""
    outcomes = [passes(name, root.resolve()) for name in names or CHECKS]
    sys.exit(0 if all(outcomes) else 1)


def passes(name: str, root: Path) -> bool:
    """Run one check and say how it went. One that found no file to look at has not passed."""
    try:
        report = CHECKS[name](root)
    except MissingProgramError as error:
        click.echo(f"{name}: {error}")
        return False
    problems = report.problems if report.examined else ("there is nothing to check",)
    for problem in problems:
        click.echo(f"{name}: {problem}")
    if not problems:
        click.echo(f"{name}: ok ({len(report.examined)})")
    return not problems
