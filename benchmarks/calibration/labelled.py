"""Labelled answers as the fit sees them: feature rows with human scores, and pairs that people chose from."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval_worker.evaluation.interaction import Interaction
from eval_worker.models.offline.analysis import Analysis

Features = Mapping[str, float]


@dataclass(slots=True)
class LabelledSet:
    """One data set: rows of features with human scores of 0 to 1, and pairs (preferred, other) of rows."""

    name: str
    rows: list[Features] = field(default_factory=list[Features])
    scores: list[float] = field(default_factory=list[float])
    pairs: list[tuple[Features, Features]] = field(default_factory=list[tuple[Features, Features]])


def read_sets(
    data: Path, label: str, features_of: Callable[[Analysis], Features | None], keeps: Callable[[str], bool]
) -> list[LabelledSet]:
    """Read every `*.jsonl` in a folder that has the label; `keeps` chooses records by their group."""
    found = [_read_set(path, label, features_of, keeps) for path in sorted(data.glob("*.jsonl"))]
    return [one for one in found if one.scores or one.pairs]


def _read_set(
    path: Path, label: str, features_of: Callable[[Analysis], Features | None], keeps: Callable[[str], bool]
) -> LabelledSet:
    found = LabelledSet(path.name.split(".")[0])
    sides: dict[str, dict[bool, Features]] = {}
    for record in _records(path):
        pairs = [pair for pair in _pairs(record) if pair["judge"] == label]
        if not keeps(str(record["group"])) or not (pairs or label in record["human"]):
            continue
        analysis = Analysis(_interaction(record))
        features = features_of((analysis.cores or [analysis])[0])  # what is judged
        if features is None:  # a rule decides this one
            continue
        if label in record["human"]:
            found.rows.append(features)
            found.scores.append(record["human"][label])
        for pair in pairs:
            sides.setdefault(pair["id"], {})[pair["preferred"]] = features
    found.pairs = [(two[True], two[False]) for two in sides.values() if len(two) == 2]  # noqa: PLR2004  # a pair
    return found


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _pairs(record: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    return [*([record["pair"]] if record.get("pair") else []), *record.get("more_pairs", [])]


def _interaction(record: Mapping[str, Any]) -> Interaction:
    exchange = record["interaction"]
    return Interaction(exchange["user_query"], exchange["answer"], exchange.get("context") or "")
