"""The command as people call it, with the offline model."""

from pathlib import Path

from tests.command_line import Finished, run
from tests.doors.batch.events_file import write_lines


def batch(*arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None) -> Finished:
    return run(
        "eval_worker",
        "batch",
        *arguments,
        stdin=stdin,
        environment={"JUDGE_MODEL": "offline", **(environment or {})},
    )


def judge(lines: list[bytes], *more: str, **environment: str) -> Finished:
    write_lines(Path("in.jsonl"), lines)
    return batch("--input", "in.jsonl", "--output", "out.jsonl", *more, environment=environment)
