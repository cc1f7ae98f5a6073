"""One measurement: read what people said -> have every data set judged -> measure each judge on each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from eval_worker.errors import SettingsError
from eval_worker.quality.baselines import baseline_scores
from eval_worker.quality.conduct import NO_EXITS, Conduct, Exits, conduct
from eval_worker.quality.data_sets import DataSet, read_data_sets
from eval_worker.quality.judge_quality import JudgeQuality, judge_quality
from eval_worker.quality.judged import JudgedSet, judge
from eval_worker.quality.labelled import OVERALL
from eval_worker.result import UsageResult
from eval_worker.settings import Settings
from eval_worker.validation.annotation import BadRecord
from eval_worker.wiring.judging import read_judges

Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class QualityPlan:
    """What was asked for. Without `results` the results of the judging are not kept."""

    data: Sequence[Path]
    seed: int
    results: Path | None = None


@dataclass(frozen=True, slots=True)
class DataSetQuality:
    """`conduct` is of all results, of earlier runs too."""

    data_set: DataSet
    without_verdict: Sequence[BadRecord]
    conduct: Conduct
    judges: tuple[JudgeQuality, ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """`judged_by` counts results by model and judges' digest; `unlabelled_judges` are asked, but nobody labelled them.

    `unknown_judges` counts the data sets' labels of judges that are not asked, which is how a misspelt name shows.
    """

    plan: QualityPlan
    data_sets: tuple[DataSetQuality, ...]
    judged_by: Mapping[tuple[str, str], int]
    unlabelled_judges: tuple[str, ...]
    unknown_judges: Mapping[str, int]

    @property
    def good(self) -> Exits:
        return sum((each.conduct.good for each in self.data_sets), start=NO_EXITS)

    @property
    def bad(self) -> Exits:
        return sum((each.conduct.bad for each in self.data_sets), start=NO_EXITS)

    @property
    def usage(self) -> UsageResult:
        return sum((each.conduct.usage for each in self.data_sets), start=UsageResult())


def measure_quality(plan: QualityPlan, settings: Settings, announce: Announce) -> Quality:
    """Run it.

    Raises:
        SettingsError: a record is wrong, or the folder of results is of another run.
        ModelUnavailableError: the model stayed away; results that have a folder are kept.
        EvalWorkerError: it was stopped, or a file can't be read or written.
    """
    data_sets = read_data_sets(plan.data, max_bytes=settings.max_event_bytes)
    asked = tuple(each.name for each in read_judges(settings).judges)
    labelled = _labels(data_sets)
    judged: list[JudgedSet] = []
    with _folder(plan.results) as folder:
        for data_set in data_sets:
            announce(f"{data_set.name}: {len(data_set.records):,} labelled records")
            judged.append(judge(data_set, Path(folder), settings))
    records = [record for each in judged for record in each.records.values()]
    return Quality(
        plan=plan,
        data_sets=tuple(
            _measured(data_set, each, asked, plan.seed) for data_set, each in zip(data_sets, judged, strict=True)
        ),
        judged_by=Counter((record.model, record.judges_digest) for record in records),
        unlabelled_judges=tuple(name for name in asked if not labelled[name]),
        unknown_judges={name: count for name, count in labelled.items() if name not in {*asked, OVERALL}},
    )


def _measured(data_set: DataSet, judged: JudgedSet, asked: Sequence[str], seed: int) -> DataSetQuality:
    """Measure the judges that are labelled here, in the order in which they are asked; the whole comes last."""
    scores = baseline_scores([record.interaction for record in data_set.records])
    baselines = {name: np.asarray(each) for name, each in scores.items()}
    names = [name for name in (*asked, OVERALL) if name in data_set.judges]
    return DataSetQuality(
        data_set,
        judged.without_verdict,
        conduct(data_set.records, judged.records),
        tuple(judge_quality(name, data_set, judged.records, baselines, seed=seed) for name in names),
    )


def _labels(data_sets: Sequence[DataSet]) -> Counter[str]:
    """Count the scores and the pairs by judge."""
    counted = Counter(name for data_set in data_sets for record in data_set.records for name in record.human)
    for data_set in data_sets:
        counted.update({name: len(pairs) for name, pairs in data_set.pairs.items()})
    return counted


def _folder(results: Path | None) -> AbstractContextManager[str]:
    if results is None:
        return TemporaryDirectory(prefix="eval-worker-quality-")
    try:
        results.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"--results {results} can't be made: {error.strerror}") from error
    return nullcontext(str(results))
