"""How a command ends: its exit code, and one plain line on stderr for what went wrong."""

import os
import sys

import click

from eval_worker.errors import EvalWorkerError

INTERRUPTED = 128 + 2
PIPE_CLOSED = 128 + 13


def run_command_line(command: click.Command, name: str) -> int:
    """Run a command and return its exit code: 0 it is done, 1 it failed, 2 wrong usage or settings."""
    try:
        code = _run(command, name)
        sys.stdout.flush()  # here, as the interpreter's own flush at exit complains about a closed pipe
    except BrokenPipeError:
        # Whoever read us has enough, `head` for one. What is still buffered must not be flushed into the pipe again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return code


def _run(command: click.Command, name: str) -> int:
    try:
        code: object = command.main(prog_name=name, standalone_mode=False)
    except EvalWorkerError as error:
        click.echo(f"{name}: {error}", err=True)
        return error.exit_code
    except click.UsageError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        click.echo(f"{name}: {error.format_message()}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit as error:  # how click ends on a closed pipe
        return error.code if isinstance(error.code, int) else 1
    return code if isinstance(code, int) else 0
