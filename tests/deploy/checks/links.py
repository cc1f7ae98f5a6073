"""Every link of a Markdown file that leads to a file or heading here, by lychee; the web is left alone."""

from pathlib import Path

from tests.deploy.checks.programs import complaints_if_it_fails, find_program
from tests.deploy.checks.report import Report

DIRECTORIES = (".", "docs", "examples", "deploy")


def check_links(root: Path) -> Report:
    lychee = find_program("lychee", "make check-deploy")
    pages = tuple(
        str(page.relative_to(root)) for directory in DIRECTORIES for page in sorted((root / directory).glob("*.md"))
    )
    options = ("--offline", "--include-fragments=anchor-only", "--no-progress", "--mode=plain")
    return Report(pages, complaints_if_it_fails(lychee, *options, *pages, directory=root))
