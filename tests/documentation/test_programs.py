"""The Python of the pages: every name that it imports is there, and a judge model of one's own makes a worker."""

import ast
import importlib
import json
import re
import signal
from pathlib import Path

import pytest
from tests.command_line import run
from tests.processes import ROOT, Worker, environment_for
from tests.servers.ports import free_port

from eval_worker.settings import load_settings

PAGES = ("README.md", *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md")))


def programs(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def imported_names(program: str) -> list[tuple[str, str]]:
    imports = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.ImportFrom)]
    return [(node.module or "", alias.name) for node in imports for alias in node.names]


IMPORTS = sorted({(page, *name) for page in PAGES for program in programs(page) for name in imported_names(program)})


def test_the_pages_import_something():
    assert {page for page, _, _ in IMPORTS} >= {"docs/judges.md", "docs/testing.md"}


@pytest.mark.parametrize(("page", "module", "name"), [names for names in IMPORTS if names[1].startswith("eval_")])
def test_what_a_page_imports_is_there(page: str, module: str, name: str):
    assert hasattr(importlib.import_module(module), name), page


def test_a_judge_model_of_ones_own_answers_for_the_judges(tmp_path: Path):
    (program,) = [program for program in programs("docs/judges.md") if "run_daemon" in program]
    settings = load_settings(redis_addr=f"127.0.0.1:{free_port()}")
    worker = Worker(environment_for(settings, EMBEDDED_DATA_DIR=str(tmp_path)), "-c", program)
    try:
        worker.wait_until_ready()
        event = '{"event_id": "e", "interaction": {"user_query": "Who was it?", "answer": "It was me."}}'
        sent = run("eval_producer", "--wait", "--timeout", "20", "-d", event, settings=settings)
        worker.signal(signal.SIGTERM)
        assert worker.wait(60) == 0
    finally:
        worker.end()

    assert json.loads(sent.lines[-1])["model"] == "my-model"
