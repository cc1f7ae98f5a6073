"""The tables in a page that says more."""

from pathlib import Path
from typing import Any

import pytest

from eval_worker.errors import SettingsError
from eval_worker.quality.markdown import BEGIN, END, check_page, write_page
from eval_worker.quality.rows import figure

DOCUMENT: dict[str, Any] = {
    "data_sets": [],
    "early_exits": {},
    "usage": {},
    "against_baselines": {"rouge_1": {"above": 3, "not told apart": 2, "below": 1}},
}


def test_the_tables_stand_between_the_markers_and_the_rest_of_the_page_stays(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(f"# Ours\n\n{BEGIN}\nthe figures of last year\n{END}\n\nSo much for that.\n")

    for _ in range(2):
        write_page(page, DOCUMENT)

    text = page.read_text()
    assert text.startswith(f"# Ours\n\n{BEGIN}\n\n### Against the baselines\n")
    assert text.endswith(f"| ROUGE-1 | 3 | 2 | 1 |\n\n{END}\n\nSo much for that.\n")
    assert "last year" not in text


def test_a_page_that_is_not_there_is_made(tmp_path: Path):
    check_page(tmp_path / "new.md")
    write_page(tmp_path / "new.md", DOCUMENT)

    assert (tmp_path / "new.md").read_text().startswith(BEGIN)


@pytest.mark.parametrize("text", ["# Ours\n", f"{END}{BEGIN}"])
def test_a_page_without_the_markers_is_refused(tmp_path: Path, text: str):
    page = tmp_path / "page.md"
    page.write_text(text)

    with pytest.raises(SettingsError, match="it needs the lines"):
        check_page(page)


def test_figures_are_short():
    assert [figure(value) for value in (0.416, -0.071, 1.0, 0.0, -0.001, None)] == [
        ".42", "-.07", "1.00", ".00", ".00", "-",
    ]  # fmt: skip
