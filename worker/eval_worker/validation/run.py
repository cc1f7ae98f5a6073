"""One validation: read what people said -> have it judged -> measure -> compare with another set of judges."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from eval_worker.console.judging_progress import Progress
from eval_worker.errors import SettingsError
from eval_worker.evaluation.aggregate import ScoringPolicy
from eval_worker.settings import Settings
from eval_worker.tables.reading import STANDARD_STREAM, read_rows
from eval_worker.validation.annotation import AnnotatedRecord, BadRecord, read_annotation
from eval_worker.validation.comparison import Comparison, compare
from eval_worker.validation.earlier_results import EarlierResults
from eval_worker.validation.judgement_cache import JudgementCache
from eval_worker.validation.judging import Judged, JudgingRecords, with_judges
from eval_worker.validation.labels import PLACES
from eval_worker.validation.measures import Measures, measure
from eval_worker.validation.pairs import human_places, verdict_places

NO_RESULT = "has no result in the file that --results names"


@dataclass(frozen=True, slots=True)
class ValidationPlan:
    """What was asked for. Without `results` every record that carries no result is judged now."""

    input: Path
    threshold: float
    seed: int
    results: Path | None = None
    cache: Path | None = None
    compare_with: Path | None = None


@dataclass(frozen=True, slots=True)
class Sorted:
    """`waiting` are still to be judged; `with_event` are those that another set of judges can judge."""

    waiting: Sequence[AnnotatedRecord]
    with_event: Sequence[AnnotatedRecord]
    bad: Sequence[BadRecord]


@dataclass(frozen=True, slots=True)
class SetComparison:
    """`not_compared` counts records of which the present set has a verdict and the other has none."""

    comparison: Comparison
    other: Judged
    not_compared: int


@dataclass(frozen=True, slots=True)
class Validation:
    """Everything that a report tells of."""

    plan: ValidationPlan
    settings: Settings
    measures: Measures
    judged: Judged
    bad_records: Sequence[BadRecord]
    bad_results: Sequence[BadRecord] = ()
    comparison: SetComparison | None = None

    @property
    def passed(self) -> bool:
        tau = self.measures.kendall_tau.value
        return tau is not None and tau >= self.plan.threshold


async def validate(plan: ValidationPlan, settings: Settings, progress: Progress) -> Validation:
    """Run it.

    Raises:
        SettingsError: there is nothing to compare, or a file can't be used.
        ModelUnavailableError: the model stayed away for longer than it is worth waiting.
    """
    if plan.compare_with is not None:
        with_judges(settings, plan.compare_with)  # refused now, not after the first set is judged
    earlier = read_earlier_results(plan, settings)
    judged = Judged()
    sorted_ = sort_records(plan, settings, earlier, judged)
    with closing(JudgementCache() if plan.cache is None else JudgementCache.open(plan.cache)) as cache:
        judging = JudgingRecords(settings, cache, progress)
        await judging.judge(sorted_.waiting, judged)
        comparison = await _compare(plan, sorted_.with_event, judged.in_order(), judging)
    thresholds = (settings.pass_threshold, settings.review_threshold)
    return Validation(
        plan=plan,
        settings=settings,
        measures=measure(judged.pairs, thresholds=thresholds, seed=plan.seed),
        judged=judged,
        bad_records=sorted_.bad,
        bad_results=earlier.bad if earlier else (),
        comparison=comparison,
    )


def sort_records(plan: ValidationPlan, settings: Settings, earlier: EarlierResults | None, judged: Judged) -> Sorted:
    """Read every record: what has a result is `judged` already, and of that no more is kept than its pair.

    Raises:
        SettingsError: no record can be used.
    """
    waiting: list[AnnotatedRecord] = []
    with_event: list[AnnotatedRecord] = []
    bad: list[BadRecord] = []
    for record in _read_annotated(plan.input, settings):
        if isinstance(record, BadRecord):
            bad.append(record)
            continue
        if result := record.result or (earlier.of(record) if earlier else None):
            judged.take(record, result)
        elif earlier is None:
            waiting.append(record)
        else:
            judged.without_verdict.append(BadRecord(record.number, NO_RESULT))
        if plan.compare_with is not None and record.event is not None:
            with_event.append(replace(record, result=None))
    if not (waiting or judged.pairs or judged.without_verdict):
        raise SettingsError(f"{plan.input}: {_nothing_usable(bad)}")
    if earlier and not judged.judged_by:
        raise SettingsError(f"--results: {_no_result_found(earlier)}")
    return Sorted(waiting, with_event, bad)


def _read_annotated(path: Path, settings: Settings) -> Iterator[AnnotatedRecord | BadRecord]:
    policy = ScoringPolicy(pass_above=settings.pass_threshold, review_above=settings.review_threshold)
    limit = settings.max_event_bytes
    return (read_annotation(row, policy, max_bytes=limit) for row in read_rows(_location(path), max_bytes=limit))


def read_earlier_results(plan: ValidationPlan, settings: Settings) -> EarlierResults | None:
    if plan.results is None:
        return None
    return EarlierResults(read_rows(_location(plan.results), max_bytes=settings.max_event_bytes))


async def _compare(
    plan: ValidationPlan, records: Sequence[AnnotatedRecord], present: Judged, judging: JudgingRecords
) -> SetComparison | None:
    """Compare the two sets on the records of which both have a verdict."""
    if plan.compare_with is None:
        return None
    other = await judging.judged_by_others(records, plan.compare_with)
    verdicts = {pair.number: pair.verdict for pair in other.pairs}
    both = [pair for pair in present.pairs if pair.number in verdicts]
    comparison = compare(
        human_places(both), verdict_places(both), [PLACES[verdicts[pair.number]] for pair in both], seed=plan.seed
    )
    return SetComparison(comparison, other, not_compared=len(present.pairs) - len(both))


def _nothing_usable(bad: Sequence[BadRecord]) -> str:
    if not bad:
        return "there is no record in it"
    return f"none of its {len(bad)} records can be used; record {bad[0].number}: {bad[0].problem}"


def _no_result_found(earlier: EarlierResults) -> str:
    if earlier.bad and earlier.is_empty:
        return (
            f"none of its {len(earlier.bad)} lines is a result; line {earlier.bad[0].number}: {earlier.bad[0].problem}"
        )
    return "no record of the input has a result there: are they of the same events?"


def _location(path: Path) -> Path | Literal["-"]:
    return STANDARD_STREAM if str(path) == STANDARD_STREAM else path
