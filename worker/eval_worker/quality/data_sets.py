"""Data sets of labelled records: one file each, found and read whole."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval_worker.errors import MalformedEventError, SettingsError
from eval_worker.quality.labelled import LabelledRecord, PairSide, read_labelled
from eval_worker.tables.reading import read_rows, table_format

_FORMATS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """The places in `records` of the answer that people preferred, and of the other."""

    preferred: int
    other: int


@dataclass(frozen=True, slots=True)
class DataSet:
    """`pairs` are by the judge that they are about. What was not used is counted: records, and pairs with one side."""

    name: str
    path: Path
    records: Sequence[LabelledRecord]
    pairs: dict[str, Sequence[LabelledPair]]
    unlabelled: int
    one_sided_pairs: int

    @property
    def judges(self) -> tuple[str, ...]:
        """Return what people labelled here, in the order in which it first stands."""
        scored = (name for record in self.records for name in record.human)
        return tuple(dict.fromkeys((*scored, *self.pairs)))


def read_data_sets(data: Iterable[Path], *, max_bytes: int) -> tuple[DataSet, ...]:
    """Read every file, and those of every folder in the order of their names; files without a label are left out.

    Raises:
        SettingsError: there is nothing that can be measured, or a record is wrong: file, line and field are named.
    """
    files = [file for path in data for file in _files(path)]
    read = [_read(file, max_bytes) for file in files]
    found = [data_set for data_set in read if data_set.records]
    if not found:
        raise SettingsError(f"{_listed(files)}: no record is labelled: it needs `human` {{judge: 0..1}} or a `pair`")
    names: dict[str, Path] = {}
    for data_set in found:
        other = names.setdefault(data_set.name, data_set.path)
        if other is not data_set.path:
            raise SettingsError(f"{data_set.path} and {other} have one name: rename one, figures are told apart by it")
    return tuple(found)


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise SettingsError(f"{path}: there is no such file or folder")
    if not path.is_dir():
        if table_format(path) != "jsonl":
            raise SettingsError(f"{path}: labelled records are JSON lines: {', '.join(_FORMATS)}")
        return [path]
    files = sorted(each for each in path.iterdir() if each.name.endswith(_FORMATS))
    if not files:
        raise SettingsError(f"{path}: there is no file in it that ends in {', '.join(_FORMATS)}")
    return files


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").rpartition(".")[0]


def _listed(files: Sequence[Path]) -> str:
    return str(files[0]) if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"


def _read(path: Path, max_bytes: int) -> DataSet:
    reading = _Reading(path)
    for row in read_rows(path, max_bytes=max_bytes):
        try:
            record = read_labelled(row, max_bytes=max_bytes)
            reading.take(record)
        except MalformedEventError as error:
            raise SettingsError(f"{path}, line {row.number}: {error}") from error
    return reading.as_data_set()


@dataclass(slots=True)
class _Reading:
    """What was read of one file so far."""

    path: Path
    records: list[LabelledRecord] = field(default_factory=list[LabelledRecord])
    lines: dict[str, int] = field(default_factory=dict[str, int])
    sides: dict[tuple[str, str], dict[bool, int]] = field(default_factory=dict[tuple[str, str], dict[bool, int]])
    unlabelled: int = 0

    def take(self, record: LabelledRecord | None) -> None:
        if record is None:
            self.unlabelled += 1
            return
        first = self.lines.setdefault(record.event_id, record.number)
        if first != record.number:
            raise MalformedEventError("event_id", f"{record.event_id!r} stands in line {first} already")
        for side in record.sides:
            self._take_side(side, len(self.records))
        self.records.append(record)

    def _take_side(self, side: PairSide, place: int) -> None:
        taken = self.sides.setdefault((side.judge, side.id), {})
        if side.preferred in taken:
            which = "preferred" if side.preferred else "other"
            line = self.records[taken[side.preferred]].number if taken[side.preferred] < len(self.records) else "this"
            raise MalformedEventError("pair.id", f"{side.id!r} has its {which} side in line {line} already")
        taken[side.preferred] = place

    def as_data_set(self) -> DataSet:
        pairs: dict[str, list[LabelledPair]] = {}
        for (judge, _), taken in self.sides.items():
            if len(taken) == len((True, False)):
                pairs.setdefault(judge, []).append(LabelledPair(taken[True], taken[False]))
        one_sided = sum(len(taken) == 1 for taken in self.sides.values())
        return DataSet(_name(self.path), self.path, self.records, {**pairs}, self.unlabelled, one_sided)
