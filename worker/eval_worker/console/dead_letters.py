"""Dead letters for people, and as JSON."""

import base64
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from eval_worker.console.terminal import duration, printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval_worker.stream.dead_letters import StoredDeadLetter


def print_letters(console: Console, letters: "Sequence[StoredDeadLetter]", total: int) -> None:
    if not letters:
        console.print("no dead letters")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("id", no_wrap=True)
    table.add_column("event", max_width=16, no_wrap=True, overflow="ellipsis")
    table.add_column("reason", overflow="fold", ratio=1)
    table.add_column("tries", justify="right")
    table.add_column("failed", justify="right", no_wrap=True)
    for letter in letters:
        table.add_row(
            Text(letter.id),
            Text(printable(letter.event_id or "-")),
            Text(printable(letter.reason)),
            Text(printable(letter.deliveries)),
            _age(letter.failed_at),
        )
    console.print(table)
    if total > len(letters):
        console.print(f"{total - len(letters):,} more: use --limit, or --json for all", style="dim")


def letter_as_json(letter: "StoredDeadLetter") -> dict[str, object]:
    """Everything but the event itself, which `show` has."""
    return {
        "id": letter.id,
        "event_id": letter.event_id,
        "reason": letter.reason,
        "error": letter.error,
        "deliveries": int(letter.deliveries) if letter.deliveries.isdecimal() else None,
        "failed_at": letter.failed_at,
        "source_id": letter.source_id,
        "worker": letter.worker,
    }


def letter_in_full(letter: "StoredDeadLetter", *, as_seen_on_terminal: bool) -> str:
    """One JSON document for a program; for a person the same, easier to read."""
    document = {**letter_as_json(letter), "fields": _original(letter), "payload": _payload(letter.payload)}
    if not as_seen_on_terminal:
        return json.dumps(document, ensure_ascii=False)
    payload = document.pop("payload")
    fields = document.pop("fields")
    lines = [f"{name:<11} {printable('-' if value in {None, ''} else str(value))}" for name, value in document.items()]
    if not _is_payload_alone(fields):
        lines += ["", "fields", _pretty(fields)]
    return "\n".join([*lines, "", "payload", _pretty(payload)])


def _original(letter: "StoredDeadLetter") -> object:
    """As the worker kept them: an object, or pairs where a name repeats or is not UTF-8."""
    try:
        return json.loads(letter.encoded_fields)
    except ValueError:
        return None


def _payload(raw: bytes) -> object:
    """Decoded if it is JSON, else text, else base64, as in the dead letter's fields."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        pass
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode()}


def _is_payload_alone(fields: object) -> bool:
    return isinstance(fields, dict) and set(fields) == {"payload"}  # pyright: ignore[reportUnknownArgumentType]


def _pretty(value: object) -> str:
    if isinstance(value, str):
        return printable_lines(value) or "(empty)"
    return printable_lines(json.dumps(value, ensure_ascii=False, indent=2))


def _age(failed_at: str) -> str:
    try:
        moment = datetime.fromisoformat(failed_at)
    except ValueError:
        return "-"
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    roughly, *_ = duration(max((datetime.now(UTC) - moment).total_seconds(), 0)).split()
    return f"{roughly} ago"
