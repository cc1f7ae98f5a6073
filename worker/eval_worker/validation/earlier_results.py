"""Results of an earlier batch run, found by the records that they are of."""

from collections import defaultdict, deque
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, ValidationError

from eval_worker.event import CONVERSATION
from eval_worker.invalid_field import first_problem
from eval_worker.result import Result
from eval_worker.tables.row import Row
from eval_worker.validation.annotation import AnnotatedRecord, BadRecord


class _Placed(BaseModel):
    """Where in its input a batch run read the event; results from elsewhere do not say."""

    model_config = ConfigDict(extra="ignore")

    line: int | None = None


class EarlierResults:
    """Found by line and id, else by id: people may have annotated a few of the lines that were judged, in another file.

    Of results that do not name their lines, those with the same id are taken in order. Of those that do, which of
    several is meant can't be told from another file: none is taken.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.bad: list[BadRecord] = []
        self._placed: dict[tuple[int, str], Result] = {}
        self._lines_of: defaultdict[str, set[int]] = defaultdict(set)
        self._unplaced: defaultdict[str, deque[Result]] = defaultdict(deque)
        for row in rows:
            self._take_in(row)

    @property
    def is_empty(self) -> bool:
        return not (self._placed or self._unplaced)

    def of(self, record: AnnotatedRecord) -> Result | None:
        name = record.event_id
        if placed := self._placed.get((record.number, name)):
            return placed
        if waiting := self._unplaced.get(name):
            return waiting.popleft()
        lines = self._lines_of.get(name, set())
        return self._placed[next(iter(lines)), name] if len(lines) == 1 else None

    def _take_in(self, row: Row) -> None:
        if row.document is None:
            self.bad.append(BadRecord(row.number, row.problem or "is no record"))
            return
        try:
            result = Result.model_validate(row.document)
            line = _Placed.model_validate(row.document).line
        except ValidationError as error:
            field, problem = first_problem(error, root="the result")
            self.bad.append(BadRecord(row.number, f"{field}: {problem}"))
            return
        if result.event_type == CONVERSATION:  # no record is about one, though one may have its id
            return
        if line is None:
            self._unplaced[result.id].append(result)
        else:
            self._placed[line, result.id] = result
            self._lines_of[result.id].add(line)
