"""Records become pairs: by the result that they carry, by that of an earlier run, or by asking the judges now."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import aclosing, closing
from dataclasses import dataclass, field
from pathlib import Path

from eval_worker.bulk import BulkEvaluator, Outcome
from eval_worker.console.judging_progress import Progress
from eval_worker.errors import SettingsError
from eval_worker.evaluation.aggregate import Verdict
from eval_worker.evaluator import NoVerdict
from eval_worker.event import Event
from eval_worker.result import Result, UsageResult
from eval_worker.settings import Settings
from eval_worker.validation.annotation import AnnotatedRecord, BadRecord
from eval_worker.validation.judgement_cache import JudgementCache, cached
from eval_worker.validation.pairs import Pair, excerpt, judge_scores
from eval_worker.weakest_stage import weakest_stage
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import build_evaluator, read_judges

SKIPPED = "was skipped by sampling: it has no verdict"


@dataclass(slots=True)
class Judged:
    """What came of all records. `judged_by` counts results by model and judges' digest, `usage` what was asked now."""

    pairs: list[Pair] = field(default_factory=list[Pair], repr=False)  # asyncio.run reprs what it returns
    without_verdict: list[BadRecord] = field(default_factory=list[BadRecord])
    judged_by: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    usage: UsageResult = field(default_factory=UsageResult)
    judged_now: int = 0

    def take(self, record: AnnotatedRecord, result: Result) -> None:
        if result.verdict == "skipped" or result.confidence is None:
            self.without_verdict.append(BadRecord(record.number, SKIPPED))
            return
        self.judged_by[result.model, result.judges_digest] += 1
        self.pairs.append(_pair(record, result, Verdict(result.verdict), result.confidence))

    def take_new(self, record: AnnotatedRecord, outcome: Outcome) -> None:
        if isinstance(outcome, NoVerdict):
            problem = f"has no verdict: {outcome.failure.message}"
            self.without_verdict.append(BadRecord(record.number, problem))
            return
        self.judged_now += 1
        self.usage += outcome.usage
        self.take(record, outcome)

    def in_order(self) -> "Judged":
        self.pairs.sort(key=lambda pair: pair.number)
        self.without_verdict.sort(key=lambda record: record.number)
        return self


class JudgingRecords:
    """Asks the judges. `judged_by_others` lets another judges file answer, from the same cache."""

    def __init__(self, settings: Settings, cache: JudgementCache, progress: Progress) -> None:
        self._settings = settings
        self._cache = cache
        self._progress = progress

    async def judge(self, records: Sequence[AnnotatedRecord], into: Judged) -> None:
        """Ask about every record; where there is none, no model is needed, nor credentials for one.

        Raises:
            ModelUnavailableError: the model stayed away for longer than it is worth waiting.
        """
        if records:
            await self._ask(records, into, self._settings, "judging")

    async def judged_by_others(self, records: Sequence[AnnotatedRecord], judges_file: Path) -> Judged:
        judged = Judged()
        await self._ask(records, judged, with_judges(self._settings, judges_file), "judging with the other judges")
        return judged.in_order()

    async def _ask(self, records: Sequence[AnnotatedRecord], into: Judged, settings: Settings, doing: str) -> None:
        judges = read_judges(settings)
        advance = self._progress(doing, len(records))
        with closing(cached(build_judge_model(settings, judges), self._cache)) as model:
            bulk: BulkEvaluator[_ByNumber] = BulkEvaluator(
                build_evaluator(settings, judges, model),
                concurrency=settings.concurrency,
                max_tries=settings.max_deliveries,
            )
            async with aclosing(bulk.judge(_events(records), in_order=False)) as outcomes:
                async for key, outcome in outcomes:
                    into.take_new(key.record, outcome)
                    advance()


def with_judges(settings: Settings, judges_file: Path) -> Settings:
    """Return the settings with another judges file.

    Raises:
        SettingsError: it can't be used.
    """
    others = settings.model_copy(update={"judges_file": str(judges_file)})
    try:
        read_judges(others)
    except SettingsError as error:
        raise SettingsError(str(error).replace("JUDGES_FILE", "--compare", 1)) from error
    return others


@dataclass(frozen=True, slots=True)
class _ByNumber:
    """Tells records apart by their number: an id may stand twice in a file."""

    record: AnnotatedRecord

    def __str__(self) -> str:
        return f"record {self.record.number}"


def _events(records: Iterable[AnnotatedRecord]) -> Iterator[tuple[_ByNumber, Event]]:
    return ((_ByNumber(record), record.event) for record in records if record.event is not None)


def _pair(record: AnnotatedRecord, result: Result, verdict: Verdict, confidence: float) -> Pair:
    event = record.event
    return Pair(
        number=record.number,
        event_id=record.event_id,
        human=record.human,
        label_from_scores=record.label_from_scores,
        verdict=verdict,
        confidence=confidence,
        early_exit=result.early_exit,
        partial=result.partial,
        judge_scores=judge_scores(result),
        human_scores=record.human_scores,
        query=excerpt(event.interaction.user_query) if event else "",
        answer=excerpt(event.interaction.answer) if event else "",
        why=excerpt(str(weakest_stage(result) or "")),
    )
