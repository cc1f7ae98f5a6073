"""Results as a flat table: one row a result, two columns a stage; of conversations the figures of all together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval_worker.agentic.metric import AggregatedMetrics
from eval_worker.doors.batch.line_files import read_lines
from eval_worker.doors.batch.records import LineResult
from eval_worker.tables.columns import flat
from eval_worker.tables.writing import Column, Kind, write_table

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
    Column("judge_calls", "text"),
    Column("usage.llm_calls", "integer"),
    Column("usage.input_tokens", "integer"),
    Column("usage.output_tokens", "integer"),
    Column("usage.cost_usd", "number"),
    Column("evaluated_at", "text"),
)
_INTERACTION = tuple(Column(f"interaction.{name}", "text") for name in ("user_query", "answer", "context"))
_AGGREGATED = "agentic.aggregated_metrics"
_KINDS: Mapping[Any, Kind] = {int: "integer", bool: "boolean", float | None: "number"}
_CONVERSATIONS = tuple(
    Column(f"{_AGGREGATED}.{name}", _KINDS.get(field.annotation, "text"))
    for name, field in AggregatedMetrics.model_fields.items()
)


def write_result_table(
    path: Path, results: Path, stage_names: Iterable[str], *, with_interaction: bool, with_conversations: bool
) -> None:
    """Make the table of the JSON lines in `results`."""
    stages = [
        column
        for name in stage_names
        for column in (Column(f"{name}.score", "number"), Column(f"{name}.reason", "text"))
    ]
    asked_for = (*(_CONVERSATIONS if with_conversations else ()), *(_INTERACTION if with_interaction else ()))
    columns = (*_BEGINNING, *stages, *_END, *asked_for)
    write_table(path, columns, _rows(results, [column.name for column in columns]))


def _rows(results: Path, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for record in read_lines(results):
        document = LineResult.model_validate_json(record).model_dump(mode="json", by_alias=True)
        stages = document.pop("stages")
        if "agentic" not in document:  # there each interaction is a stage, all of one name
            document.update({stage["name"]: {"score": stage["score"], "reason": stage["reason"]} for stage in stages})
        cells = flat(document)
        yield {name: cells.get(name) for name in names}
