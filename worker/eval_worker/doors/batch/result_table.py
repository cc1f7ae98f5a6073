"""Results as a flat table: one row a result, two columns a stage."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from eval_worker.doors.batch.line_files import read_lines
from eval_worker.doors.batch.records import LineResult
from eval_worker.tables.columns import flat
from eval_worker.tables.writing import Column, write_table

_BEGINNING = (
    Column("line", "integer"),
    Column("id", "text"),
    Column("verdict", "text"),
    Column("confidence", "number"),
    Column("early_exit", "boolean"),
    Column("partial", "boolean"),
    Column("agent.name", "text"),
    Column("agent.type", "text"),
    Column("agent.version", "text"),
    Column("event_type", "text"),
)
_END = (
    Column("model", "text"),
    Column("judges_digest", "text"),
    Column("usage.llm_calls", "integer"),
    Column("usage.input_tokens", "integer"),
    Column("usage.output_tokens", "integer"),
    Column("usage.cost_usd", "number"),
    Column("evaluated_at", "text"),
)
_INTERACTION = tuple(Column(f"interaction.{name}", "text") for name in ("user_query", "answer", "context"))


def write_result_table(path: Path, results: Path, stage_names: Iterable[str], *, with_interaction: bool) -> None:
    """Make the table of the JSON lines in `results`."""
    stages = [
        column
        for name in stage_names
        for column in (Column(f"{name}.score", "number"), Column(f"{name}.reason", "text"))
    ]
    columns = (*_BEGINNING, *stages, *_END, *(_INTERACTION if with_interaction else ()))
    write_table(path, columns, _rows(results, [column.name for column in columns]))


def _rows(results: Path, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for record in read_lines(results):
        document = LineResult.model_validate_json(record).model_dump(mode="json", by_alias=True)
        for stage in document.pop("stages"):
            document[stage["name"]] = {"score": stage["score"], "reason": stage["reason"]}
        cells = flat(document)
        yield {name: cells.get(name) for name in names}
