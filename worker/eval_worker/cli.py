"""The `eval-worker` command: its subcommands and nothing else."""

import sys

import click

from eval_worker import __version__
from eval_worker.commands.agentic import agentic
from eval_worker.commands.api import api
from eval_worker.commands.batch import batch
from eval_worker.commands.dead_letters import dead_letters
from eval_worker.commands.demo import demo
from eval_worker.commands.mcp import mcp
from eval_worker.commands.quality import quality
from eval_worker.commands.results import results
from eval_worker.commands.run import run
from eval_worker.commands.status import status
from eval_worker.commands.top import top
from eval_worker.commands.validate import validate
from eval_worker.console.command_line import run_command_line

NAME = "eval-worker"


class _InGivenOrder(click.Group):
    """Lists the commands in the order in which people need them, not by the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)


@click.group(cls=_InGivenOrder, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=NAME)
def eval_worker() -> None:
    """Judge AI agents' answers from a Redis stream.

    Settings come from the environment or from .env; flags override them. Exit codes: 0 done, 1 it failed,
    2 wrong usage or settings, 130 stopped by Ctrl+C (the servers drain instead: 0).
    """


for _command in (run, demo, status, top, results, dead_letters, batch, validate, quality, agentic, api, mcp):
    eval_worker.add_command(_command)


def main() -> None:
    sys.exit(run_command_line(eval_worker, NAME))
