"""What the judges said of each record of a data set: judged by the batch door, whose results are read back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval_worker.doors.batch.batch import run_batch
from eval_worker.doors.batch.line_files import read_lines
from eval_worker.doors.batch.plan import BatchPlan
from eval_worker.doors.batch.records import LineResult, Rejection
from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.evaluation.judges.definition import STAGE_SUFFIX
from eval_worker.evaluation.stage import StageStatus
from eval_worker.quality.data_sets import DataSet
from eval_worker.quality.labelled import OVERALL
from eval_worker.result import UsageResult
from eval_worker.settings import Settings
from eval_worker.validation.annotation import BadRecord

_NANOSECONDS_A_MILLISECOND = 1e6
_FIRST_SIGNAL = 128


class JudgingStoppedError(EvalWorkerError):
    """A signal ended the judging: the exit code is the batch's, 128 and the signal."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class JudgedRecord:
    """`scores` are by judge, and the confidence as `overall`; `statuses` are of the judges' stages."""

    scores: Mapping[str, float]
    statuses: Mapping[str, StageStatus]
    early_exit: bool
    milliseconds: float
    usage: UsageResult
    model: str
    judges_digest: str

    def score(self, judge: str) -> float | None:
        """Return what the pipeline makes of it by this judge; None where that failed or does not apply.

        After an early exit no judge was asked: the verdict is `fail`, and its confidence stands for every judge.
        """
        return self.scores.get(OVERALL if self.early_exit else judge)


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """The records by their lines; `without_verdict` are those labelled ones that could not be judged, and why."""

    records: Mapping[int, JudgedRecord]
    without_verdict: Sequence[BadRecord]


def judge(data_set: DataSet, results: Path, settings: Settings) -> JudgedSet:
    """Judge what has no result in the folder yet.

    Raises:
        JudgingStoppedError: a signal ended it.
        SettingsError: the folder has results of another model, of other judges or of a file that was changed.
        ModelUnavailableError: the model stayed away.
        EvalWorkerError: a file can't be read or written any further.
    """
    output = results / f"{data_set.name}.results.jsonl"
    plan = BatchPlan(input=data_set.path, output=output, resume=True, quiet=True)
    try:
        code = run_batch(plan, settings)
    except SettingsError as error:
        anew = str(error).replace("begin anew with --overwrite", "name another folder")
        raise SettingsError(anew.replace("--resume", "--results", 1)) from error
    if code > _FIRST_SIGNAL:
        raise JudgingStoppedError(f"stopped while {data_set.name} was judged: --results goes on with it", code)
    judged = map(LineResult.model_validate_json, read_lines(output))
    rejected = map(Rejection.model_validate_json, read_lines(plan.rejected_file)) if plan.rejected_file else ()
    labelled = {record.number for record in data_set.records}
    return JudgedSet(
        {result.line: _record(result) for result in judged if result.line in labelled},
        [BadRecord(each.line, f"has no verdict: {each.reason}") for each in rejected if each.line in labelled],
    )


def _record(result: LineResult) -> JudgedRecord:
    judges = [stage for stage in result.stages if stage.name.endswith(STAGE_SUFFIX)]
    scores = {stage.name.removesuffix(STAGE_SUFFIX): stage.score for stage in judges if stage.score is not None}
    overall = {} if result.confidence is None else {OVERALL: result.confidence}
    return JudgedRecord(
        scores=scores | overall,
        statuses={stage.name.removesuffix(STAGE_SUFFIX): stage.status for stage in judges},
        early_exit=result.early_exit,
        milliseconds=_milliseconds(result),
        usage=result.usage,
        model=result.model,
        judges_digest=result.judges_digest,
    )


def _milliseconds(result: LineResult) -> float:
    """Return how long it took: judges that call a model wait side by side, those that compute take turns."""
    judges = [stage.duration_ns for stage in result.stages if stage.name.endswith(STAGE_SUFFIX)]
    prechecks = sum(stage.duration_ns for stage in result.stages) - sum(judges)
    together = max(judges, default=0) if result.usage.llm_calls else sum(judges)
    return (prechecks + together) / _NANOSECONDS_A_MILLISECOND
