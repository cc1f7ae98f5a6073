"""A dry run finds every bad line and says what judging would take, with no model and no credentials."""

import json
from pathlib import Path

import pytest
from tests.command_line import Finished, run, run_on_terminal
from tests.doors.batch.events_file import BAD_LINES, files_here, line_of, write_lines
from tests.events import event, rubbish

from eval_worker.settings import load_settings

LINES = [line_of(event()), *BAD_LINES, line_of(rubbish()), line_of(event(context=""))]


def dry_run(*arguments: str, **environment: str) -> Finished:
    write_lines(Path("in.jsonl"), LINES)
    return run("eval_worker", "batch", "--dry-run", "--input", "in.jsonl", *arguments, environment=environment)


def test_every_bad_line_is_named_with_its_number():
    finished = dry_run()

    assert finished.code == 0
    assert [json.loads(line) for line in finished.lines] == [
        {"line": number, "field": field, "reason": reason}
        for number, (field, reason) in enumerate(BAD_LINES.values(), 2)
    ]
    assert files_here() == ["in.jsonl"]


def test_it_goes_with_a_finished_command_line_and_writes_none_of_its_files():
    flags = "--output o.jsonl --rejected r.jsonl --summary s.json --resume --fail-under 0.8 --workers 2 --as-completed"

    finished = dry_run(*flags.split(), "--judge-model", "offline")

    assert finished.code == 0
    assert "11 lines: 3 events, 8 bad" in finished.err
    assert files_here() == ["in.jsonl"]


def test_calls_are_counted_as_they_would_be_made():
    err = dry_run().err

    assert "11 lines: 3 events, 8 bad; 1 early exit" in err
    assert "9 model calls" in err  # five for one event, four for that without a context
    assert "estimate" in err


def test_in_waves_so_many_calls_are_made_at_most():
    assert "at most 9 model calls" in dry_run(JUDGE_WAVES="relevance;coherence").err


def test_the_cost_is_estimated_by_the_models_list_price():
    assert "without retries and prompt caching" in dry_run().err
    assert "about $0.0" in dry_run().err


def test_the_cost_of_a_model_that_is_not_known_is_not_made_up():
    unknown = dry_run(CLAUDE_MODEL_ID="amazon.nova-pro-v1:0").err
    assert "cost unknown: set INPUT_TOKEN_PRICE and OUTPUT_TOKEN_PRICE, or name the model in PRICES_FILE" in unknown
    priced = dry_run(CLAUDE_MODEL_ID="amazon.nova-pro-v1:0", INPUT_TOKEN_PRICE="0.8", OUTPUT_TOKEN_PRICE="3.2").err
    assert "about $0.0" in priced


def test_the_offline_model_costs_nothing():
    assert "0 model calls, no cost" in dry_run("--judge-model", "offline").err


@pytest.mark.parametrize(("arguments", "code"), [([], 0), (["--strict"], 1)])
def test_a_gate_may_want_no_bad_line(arguments: list[str], code: int):
    assert dry_run(*arguments).code == code


def test_a_person_sees_the_first_of_many():
    write_lines(Path("in.jsonl"), [b"{}"] * 1000)

    seen = run_on_terminal("eval_worker", "batch", "--dry-run", "--input", "in.jsonl", settings=load_settings()).out

    assert "line 20: event_id: is required" in seen
    assert "line 21:" not in seen
    assert "and 980 more" in seen
