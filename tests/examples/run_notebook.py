"""Runs the notebook in a kernel of this interpreter; `python -m tests.examples.run_notebook` stores its outputs."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.processes import ROOT

NOTEBOOK = ROOT / "examples" / "agentic.ipynb"
SECONDS_PER_CELL = 120
KERNEL = "this-python"
_DIRECTORIES = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")


def run_notebook(notebook: Path, output: Path) -> None:
    """Run it beside its data and write it with its outputs, of which each run makes the same."""
    import nbformat

    document = nbformat.read(notebook, as_version=4)
    with tempfile.TemporaryDirectory() as directory:
        for name in _DIRECTORIES:  # nothing is left in the home directory
            os.environ[name] = directory
        os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
        _add_kernel(Path(directory))
        _execute(document, notebook.parent, Path(directory))
    document.metadata["language_info"] = {"name": "python"}  # not the version of who ran it last
    output.write_text(nbformat.writes(document, indent=1) + "\n", encoding="utf-8")


def _add_kernel(directory: Path) -> None:
    """Add a kernel that is this very interpreter: one that is installed may be any other."""
    spec = directory / "kernels" / KERNEL / "kernel.json"
    spec.parent.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec.write_text(json.dumps({"argv": argv, "display_name": KERNEL, "language": "python"}))


def _execute(document: Any, data: Path, directory: Path) -> None:
    from nbclient import NotebookClient
    from traitlets.config import Config

    # Unix sockets in a directory of ours: nothing listens on the network.
    sockets = Config({"KernelManager": {"transport": "ipc", "ip": str(directory / "kernel")}})
    NotebookClient(
        document,
        kernel_name=KERNEL,
        config=sockets,
        timeout=SECONDS_PER_CELL,
        record_timing=False,
        resources={"metadata": {"path": str(data)}},
    ).execute()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=NOTEBOOK, help="where to write it, instead of over itself")
    run_notebook(NOTEBOOK, parser.parse_args().output)
