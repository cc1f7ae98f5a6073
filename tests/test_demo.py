"""The demo shows the main job, whatever the user's own settings say about Redis."""

import json
import subprocess
import sys

import pytest
from tests.processes import ROOT, environment_for

_BLOCK = (ROOT / "README.md").read_text(encoding="utf-8").partition("$ make demo\n")[2].partition("$ make test")[0]
SHOWN_IN_README = [line.split() for line in _BLOCK.splitlines() if line.strip(" …")]


def demo(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "eval_worker", "demo", *arguments],
        env=environment_for(None) | environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_the_table_shows_every_kind_of_end():
    shown = demo()

    assert (shown.returncode, shown.stderr) == (0, "")
    verdicts = [line.split()[0] for line in shown.stdout.splitlines() if line[1:2].strip()]
    assert {"pass", "review", "fail", "dead"} <= set(verdicts)
    assert "early exit, no judge asked" in shown.stdout
    assert "12 events: " in shown.stdout
    printed = [line.split() for line in shown.stdout.splitlines()]
    assert [line for line in SHOWN_IN_README if line not in printed] == []


def test_the_sample_events_end_as_they_should():
    ends = [json.loads(line) for line in demo("--json").stdout.splitlines()]

    assert len(ends) == 12
    by_id = {end.get("id", "dead letter"): end for end in ends}
    short_and_good = by_id["demo-02"]
    assert (short_and_good["verdict"], short_and_good["early_exit"]) == ("pass", False)
    assert (by_id["demo-05"]["verdict"], by_id["demo-05"]["early_exit"]) == ("fail", True)
    assert by_id["dead letter"]["dead_letter"] == "interaction.answer: is required"
    assert {end["model"] for end in ends if "model" in end} == {"offline"}


@pytest.mark.parametrize(
    "theirs",
    [
        {"KEEP_EVENTS": "true"},
        {"REDIS_PASSWORD": "secret", "REDIS_USERNAME": "somebody"},
        {"REDIS_CLUSTER": "true", "REDIS_STREAM_NAME": "theirs"},
        {"REDIS_ADDR": "redis.internal:6379", "REDIS_TLS": "true"},
    ],
    ids=str,
)
def test_settings_that_are_about_the_users_own_redis_do_not_matter(theirs: dict[str, str]):
    assert demo("--json", **theirs).returncode == 0


def test_a_demo_with_claude_and_no_credentials_says_what_to_do():
    ended = demo("--judge-model", "bedrock")

    assert ended.returncode == 2
    assert "AWS_ACCESS_KEY_ID" in ended.stderr
    assert ended.stderr.count("\n") == 1
