import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from tests.command_line import run
from tests.stored_results import add_result, make_result

from eval_producer.cli import eval_producer
from eval_worker import __version__
from eval_worker.cli import eval_worker
from eval_worker.console.command_line import run_command_line
from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.settings import Settings


def command_that_raises(error: BaseException) -> click.Command:
    def raise_it() -> None:
        raise error

    return click.Command("it", callback=raise_it)


def test_help_lists_the_commands_in_the_order_of_their_use():
    done = run("eval_worker", "--help")
    assert done.code == 0
    places = [done.out.index(f"\n  {name} ") for name in ("run", "status", "results", "dead-letters")]
    assert places == sorted(places)


@pytest.mark.parametrize("group", [(), ("dead-letters",)])
def test_no_summary_of_a_command_is_cut(group: tuple[str, ...]):
    _, _, summaries = run("eval_worker", *group, "--help").out.partition("Commands:")
    assert summaries
    assert "..." not in summaries


def test_help_has_every_exit_code():
    assert "0 done, 1 it failed, 2 wrong usage or settings, 130 stopped by Ctrl+C" in " ".join(
        run("eval_worker", "--help").out.split()
    )


@pytest.mark.parametrize("module", ["eval_worker", "eval_producer"])
def test_both_commands_are_modules_too(module: str):
    done = subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"Usage: {module.replace('_', '-')}")


def test_help_imports_nothing_heavy():
    heavy = {"redis", "pydantic", "rich", "boto3"}
    program = f"import sys, eval_worker.cli, eval_producer.cli; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("module", ["eval_worker", "eval_producer"])
def test_the_version_is_shown(module: str):
    assert __version__ in run(module, "--version").out


def test_every_command_has_help():
    def every(command: click.Command, path: list[str]) -> None:
        assert command.get_short_help_str(), path
        if isinstance(command, click.Group):
            for name, child in command.commands.items():
                every(child, [*path, name])

    every(eval_worker, [])


def numbers_of(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every option of it and of what is below it that takes a number with a fraction, as it is called."""
    for option in command.params:
        if isinstance(option.type, click.types.FloatParamType):
            yield (*path, option.opts[-1])
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from numbers_of(child, (*path, name))


NUMBERS = [*numbers_of(eval_worker, ("eval_worker",)), *numbers_of(eval_producer, ("eval_producer",))]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("call", NUMBERS, ids=" ".join)
def test_a_number_that_is_none_is_wrong_usage(call: tuple[str, ...], number: str):
    done = run(*call, number)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith(f"Error: Invalid value for '{call[-1]}': ")


def test_the_numbers_that_gates_compare_with_are_among_those():
    assert {call[-1] for call in NUMBERS} >= {"--fail-under", "--correlation-threshold", "--tool-threshold"}


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (EvalWorkerError("it broke"), 1, "tool: it broke\n"),
        (SettingsError("REDIS_ADDR: no"), 2, "tool: REDIS_ADDR: no\n"),
        (click.ClickException("odd"), 1, "tool: odd\n"),
        (KeyboardInterrupt(), 130, "\n"),
    ],
)
def test_an_error_is_one_plain_line_and_an_exit_code(
    error: BaseException, code: int, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.argv", ["tool"])
    assert run_command_line(command_that_raises(error), "tool") == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", line)


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.argv", ["tool"])
    with pytest.raises(ZeroDivisionError):
        run_command_line(command_that_raises(ZeroDivisionError()), "tool")


def test_wrong_usage_exits_with_2():
    assert run("eval_worker", "no-such-command").code == 2
    assert run("eval_worker", "status", "--no-such-flag").code == 2


def test_a_wrong_setting_exits_with_2_and_is_named():
    done = run("eval_worker", "status", environment={"CONCURRENCY": "many"})
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.startswith("eval-worker: CONCURRENCY:")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("CONCURRENCY", "1e3", "must be a whole number, not '1e3'"),
        ("CONCURRENCY", "0", "must be at least 1, not '0'"),
        ("KEEP_EVENTS", "ja", "must be true or false, not 'ja'"),
        ("JUDGE_TIMEOUT_SECONDS", "-1", "must be more than 0, not '-1'"),
        ("LEASE_SECONDS", "nan", "must be a finite number, not 'nan'"),
        ("LOG_FORMAT", "xml", "must be 'console' or 'json', not 'xml'"),
        ("LOG_FORMAT", "x" * 1000, f"must be 'console' or 'json', not '{'x' * 60}'"),
        ("REDIS_ADDR", "here", "must be host:port such as localhost:6379, not 'here'"),
        ("API_KEYS", "short", "must be keys of at least 16 characters with commas between them"),
        ("JUDGE_MODEL_PARAMS", "secret", "must be a JSON object of the chat model's parameters"),
    ],
)
def test_a_wrong_setting_is_shown_unless_it_may_be_a_secret(name: str, value: str, says: str):
    done = run("eval_worker", "status", environment={name: value})
    assert (done.code, done.err) == (2, f"eval-worker: {name}: {says}\n")


def test_a_wrong_sample_rate_is_one_line_that_names_the_piece():
    done = run("eval_worker", "status", environment={"SAMPLE_RATES": "bot=0.1,type:rag=ten"})
    assert done.code == 2
    assert done.err == "eval-worker: SAMPLE_RATES: 'type:rag=ten' must have a rate from 0 to 1\n"


@pytest.mark.parametrize("command", [["status"], ["results"], ["top"], ["dead-letters", "list"]])
def test_without_redis_the_reason_is_one_line(command: list[str]):
    done = run("eval_worker", *command, "--redis-addr", "localhost:1")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "no Redis at localhost:1 (connection refused)" in done.err


def test_the_address_flag_beats_the_url(settings: Settings):
    assert run("eval_worker", "status", settings=settings).code == 0
    assert run("eval_worker", "status", "--redis-addr", "localhost:1", settings=settings).code == 1


def test_a_cluster_that_cant_run_our_scripts_is_refused():
    done = run("eval_worker", "status", environment={"REDIS_CLUSTER": "true"})
    assert done.code == 2
    assert "{eval-events}:results" in done.err


@pytest.mark.parametrize("results", [1, 5000])
def test_a_closed_pipe_is_quiet(settings: Settings, redis_client: Any, results: int, tmp_path: Path):
    pipeline = redis_client.pipeline(transaction=False)
    for _ in range(results):
        add_result(pipeline, make_result())
    pipeline.execute()
    assert settings.redis_url is not None
    script = f"'{sys.executable}' -m eval_worker results | head -c 1"
    done = subprocess.run(
        ["sh", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"REDIS_URL": settings.redis_url.get_secret_value(), "PATH": "/usr/bin:/bin"},
    )
    assert (done.stdout, done.stderr) == ("{", "")
