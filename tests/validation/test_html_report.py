"""The report as a page: it is all in one file, loads nothing, and shows hostile texts as texts."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.command_line import run
from tests.events import event
from tests.validation.annotated_files import LABELS, result_of, write_lines

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HOSTILE = (
    '</script><script>document.title = "taken over"</script><img src="https://evil.example/x.png" onerror=alert(1)>'
)
LEADS_OUT = re.compile(
    r"""(?ix) (?: \b(?:src|href|srcset|action|data|poster|formaction)\s*=\s*["']? | url\(\s*["']? | @import\s*["']? )
    (?!\#) [^"'\s)>]+ """
)
PLOTS = ("Confusion matrix", "Calibration", "Scores by human label")


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any], Path]:
    """The page, the same as JSON, and where the page lies."""
    folder = tmp_path_factory.mktemp("report")
    documents = [
        event(f"e-{number}", query=f"{HOSTILE} {number}?", answer=f"{HOSTILE} \x1b[2J\x00 {number}")
        | {"event_id": f"{HOSTILE}{number}", "human_annotation": LABELS[number % 3]}
        for number in range(18)
    ]
    for number, document in enumerate(documents):
        names = ("a", "$\\frac<i>関連\x1b")
        stages = [
            {"name": f"{name}-judge", "score": number / 18, "reason": HOSTILE, "duration_ns": 1} for name in names
        ]
        verdict = LABELS[(number + number // 3) % 3]
        document["result"] = result_of(document, verdict, number / 18, stages=stages, model=HOSTILE)
    records = write_lines(folder / "annotated.jsonl", [*documents, "{broken", json.dumps(event(HOSTILE))])
    page, data = folder / "report.html", folder / "report.json"
    finished = run("eval_worker", "validate", "-i", str(records), "--report", str(page), "--report", str(data))
    assert finished.code in {0, 1}, finished.err
    return page.read_text(encoding="utf-8"), json.loads(data.read_text(encoding="utf-8")), page


def test_nothing_in_it_leads_out(reports: tuple[str, dict[str, Any], Path]):
    page, _, _ = reports
    shown = re.sub(r"&lt;.*?&gt;", "", page)  # what is escaped is text

    assert [each.group() for each in LEADS_OUT.finditer(shown)] == []
    assert set(re.findall(r"https?://[^\s\"'<&]+", shown)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_it_has_no_script_and_no_element_that_loads(reports: tuple[str, dict[str, Any], Path]):
    elements = Elements(reports[0]).found

    assert {tag for tag, _ in elements} & {
        "script",
        "img",
        "link",
        "iframe",
        "object",
        "embed",
        "image",
        "base",
    } == set()
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]
    policy = next(each for _, each in elements if each.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in (policy["content"] or "")


def test_each_plot_is_there_and_says_in_words_what_it_shows(reports: tuple[str, dict[str, Any], Path]):
    drawings = [attributes for tag, attributes in Elements(reports[0]).found if tag == "svg"]

    assert [each["role"] for each in drawings] == ["img"] * 3
    for drawing, opening in zip(drawings, PLOTS, strict=True):
        assert (drawing["aria-label"] or "").startswith(opening)


def test_a_plots_ids_are_its_own(reports: tuple[str, dict[str, Any], Path]):
    ids = [attributes["id"] for _, attributes in Elements(reports[0]).found if "id" in attributes]

    assert len(ids) == len(set(ids)) > 50


def test_plots_are_well_formed_and_take_the_pages_colours(reports: tuple[str, dict[str, Any], Path]):
    drawings = re.findall(r"<svg\b.*?</svg>", reports[0], flags=re.DOTALL)

    for drawing in drawings:
        ET.fromstring(drawing)
        assert "var(--ink)" in drawing
        assert set(re.findall(r"#[0-9a-f]{6}\b", drawing)) <= {"#ffffff"}


def test_texts_have_no_control_characters(reports: tuple[str, dict[str, Any], Path]):
    assert "\x1b" not in reports[0]
    assert "\x00" not in reports[0]


def test_the_json_report_holds_the_figures_and_what_explains_them(reports: tuple[str, dict[str, Any], Path]):
    _, report, _ = reports

    assert report["total_records"] == sum(each["records"] for each in report["calibration"]) == 18
    assert report["score_distributions"]["a"]["pass"][0] == 0.0
    assert len(report["worst_disagreements"]) == 10
    worst = report["worst_disagreements"][0]
    assert {worst["human"], worst["verdict"]} == {"pass", "fail"}
    assert [each["number"] for each in report["bad_records"]] == [19, 20]


@pytest.mark.skipif(CHROMIUM is None, reason="needs a browser: Debian's package is chromium")
def test_a_browser_without_a_network_shows_the_page(reports: tuple[str, dict[str, Any], Path], tmp_path: Path):
    assert CHROMIUM is not None
    page = reports[2]
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    offline = ["--host-resolver-rules=MAP * ~NOTFOUND"]

    done = subprocess.run(
        [CHROMIUM, *flags, *offline, "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    elements = Elements(done.stdout).found
    assert sum(tag == "svg" for tag, _ in elements) == 3
    assert sum(tag == "path" for tag, _ in elements) > 30
    assert "<title>Judges against people: annotated.jsonl</title>" in done.stdout
    assert "taken over" not in re.findall(r"<title>.*?</title>", done.stdout)[0]
    assert not {tag for tag, _ in elements} & {"script", "img"}
