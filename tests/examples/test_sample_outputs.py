"""The pages show what the offline model gives: whoever follows them sees the same figures."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run
from tests.processes import ROOT

QUICK_START, HTTP_API, BATCH, MCP = (
    (ROOT / "docs" / page).read_text(encoding="utf-8")
    for page in ("quick-start.md", "http-api.md", "batch.md", "mcp.md")
)


def events_in(page: str) -> Iterator[dict[str, Any]]:
    """Every JSON object of the page that is an event, or the arguments of a tool that makes one of them."""
    start = page.find("{")
    while start >= 0:
        try:
            found, _ = json.JSONDecoder().raw_decode(page, start)
        except ValueError:
            found = {}
        if isinstance(found.get("interaction"), dict):
            yield found
        elif "user_query" in found and "event_id" in found:
            yield {"event_id": found.pop("event_id"), "interaction": found}
        start = page.find("{", start + 1)


def judged(page: str, event_id: str, tmp_path: Path) -> dict[str, Any]:
    event = next(one for one in events_in(page) if one["event_id"] == event_id)
    events, verdicts = tmp_path / "events.jsonl", tmp_path / "verdicts.jsonl"
    events.write_text(json.dumps(event), encoding="utf-8")
    ran = run("eval_worker", "batch", "--judge-model", "offline", "--input", str(events), "--output", str(verdicts))
    assert ran.code == 0
    return json.loads(verdicts.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("page", "event_id", "shown"),
    [
        (HTTP_API, "evt-001", '"verdict":"{verdict}","confidence":{confidence},'),
        (HTTP_API, "evt-003", '["evt-003","{verdict}",{confidence},'),
        (BATCH, "q-1", '"id":"q-1","verdict":"{verdict}","confidence":{confidence}}}'),
        (BATCH, "q-2", '"id":"q-2","verdict":"{verdict}","confidence":{confidence}}}'),
        (BATCH, "q-5", '"id":"q-5","verdict":"{verdict}","confidence":{confidence}}}'),
        (BATCH, "q-5", "5,q-5,{verdict},{confidence}"),
        (MCP, "test-1", '"id":"test-1","confidence":{confidence},"verdict":"{verdict}"'),
        (QUICK_START, "mine-1", "{verdict}  {confidence:.3f}  mine-1\n"),
    ],
)
def test_the_verdict_is_the_one_shown(page: str, event_id: str, shown: str, tmp_path: Path):
    result = judged(page, event_id, tmp_path)

    assert shown.format(verdict=result["verdict"], confidence=result["confidence"]) in page


def test_the_stages_are_the_ones_shown(tmp_path: Path):
    stages = judged(QUICK_START, "mine-1", tmp_path)["stages"]

    lines = [f"  {one['name']:<18}  {one['score']:.2f}  {one['reason']}\n" for one in stages]
    assert [line for line in lines if line not in QUICK_START] == []
