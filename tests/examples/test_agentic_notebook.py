"""The notebook runs as it is, and shows what it would show now."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.examples.run_notebook import NOTEBOOK
from tests.processes import ROOT

SECONDS = 60  # in which it has to run, as it says of itself
RENEW = "the notebook's outputs are not what it prints now: python -m tests.examples.run_notebook renews them"


def code_cells(path: Path) -> list[dict[str, Any]]:
    document = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in document["cells"] if cell["cell_type"] == "code"]


def outputs(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return what the cells show, without the pixels of plots: those depend on the version of matplotlib."""
    return [[_without_pixels(output) for output in cell["outputs"]] for cell in cells]


def _without_pixels(output: dict[str, Any]) -> dict[str, Any]:
    data = output.get("data", {})
    return output | {"data": data | {"image/png": "…"} if "image/png" in data else data}


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Run it in a home of its own, with no network settings or keys to find."""
    home = tmp_path_factory.mktemp("home")
    output = home / "executed.ipynb"
    command = [sys.executable, "-m", "tests.examples.run_notebook", "--output", str(output)]
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment | {"HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in home.iterdir()] == [output.name], "it left files in the home directory"
    return code_cells(output)


def test_it_runs_from_top_to_bottom_and_shows_what_is_stored(executed: list[dict[str, Any]]):
    stored = code_cells(NOTEBOOK)

    assert [cell["execution_count"] for cell in stored] == list(range(1, len(stored) + 1))
    assert outputs(executed) == outputs(stored), RENEW


def test_nothing_it_shows_is_an_error_or_a_warning(executed: list[dict[str, Any]]):
    kinds = {output["output_type"] for cell in executed for output in cell["outputs"]}

    assert kinds == {"execute_result", "display_data"}


def test_both_plots_are_drawn_and_stored(executed: list[dict[str, Any]]):
    for cells in (executed, code_cells(NOTEBOOK)):
        shown = [output.get("data", {}) for cell in cells for output in cell["outputs"]]
        plots = [data["image/png"] for data in shown if "image/png" in data]
        assert len(plots) == 2
        assert min(map(len, plots)) > 10_000


def test_it_names_no_place_of_the_machine_it_was_run_on():
    text = NOTEBOOK.read_text(encoding="utf-8")

    assert str(ROOT) not in text
    assert sys.prefix not in text
    assert "timestamp" not in text
