"""`Agentic.run`: whole conversations judged from Python, in a script or in a notebook."""

import asyncio
import logging
from collections.abc import Coroutine, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self, TypeVar

from eval_worker.agentic.criteria import ANSWER_THRESHOLD, Criteria
from eval_worker.agentic.metric import AgenticMetric, AggregatedMetrics, QuestionMetric
from eval_worker.agentic.report import AgenticReport
from eval_worker.agentic.retriever import Retriever, load_conversations
from eval_worker.agentic.statistics.statistical_mode import FrequentistMode, StatisticalMode
from eval_worker.doors.chosen_model import ModelChoice
from eval_worker.errors import ModelUnavailableError
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.model import FailureKind, JudgeModel
from eval_worker.wiring.judging import build_conversation_pipeline

if TYPE_CHECKING:
    from langchain_core.language_models.chat_models import BaseChatModel

log = logging.getLogger("eval_worker.agentic")

BOS_JSON_CLAUSE, EOS_JSON_CLAUSE = "```json", "```"

T = TypeVar("T")


class AgenticMetrics(list[AgenticMetric]):
    """One metric for each conversation, in their order.

    `aggregated` has the figures of all conversations together; `questions` those of each question that was answered
    more than once, by several assistants or in several attempts.
    """

    aggregated: AggregatedMetrics
    questions: list[QuestionMetric]

    @classmethod
    def of(cls, report: AgenticReport) -> Self:
        metrics = cls(report.conversations)
        metrics.aggregated = report.aggregated
        metrics.questions = list(report.questions)
        return metrics


class Agentic:
    """The metric of whole conversations: pass@k, pass^k and tool correctness."""

    @classmethod
    def run(
        cls,
        retriever: type[Retriever] | Retriever,
        model: "JudgeModel | BaseChatModel | str",
        k: int,
        *,
        threshold: float = ANSWER_THRESHOLD,
        tool_threshold: float = 1.0,
        tool_weights: Mapping[str, float] | None = None,
        require_tools: bool = False,
        statistical_mode: StatisticalMode | None = None,
        use_structured_output: bool = True,
        bos_json_clause: str = BOS_JSON_CLAUSE,
        eos_json_clause: str = EOS_JSON_CLAUSE,
        model_params: Mapping[str, Any] | None = None,
        concurrency: int = 10,
        judge_timeout_seconds: float = 60,
        verbose: bool = False,
        **retriever_arguments: Any,
    ) -> AgenticMetrics:
        """Judge every interaction that the retriever loads, `concurrency` at a time, and return the figures.

        `model` is a chat model of LangChain, its class path with `model_params` to make it of, `offline` or `bedrock`,
        or a judge model of ours. `use_structured_output` and the two clauses, between which a reply's JSON stands where
        that is off, are for LangChain models. Works inside a running event loop, too, as in a notebook.

        Raises:
            ValueError: an argument, or what the retriever loads, can't be used.
            SettingsError: there is no such model.
            ModelUnavailableError: the model could not be used, and no conversation could be judged.
        """
        criteria = Criteria(
            k=k,
            threshold=threshold,
            tool_threshold=tool_threshold,
            tool_weights=tool_weights,
            require_tools=require_tools,
            mode=statistical_mode or FrequentistMode(),
        )
        source = retriever if isinstance(retriever, Retriever) else retriever(**retriever_arguments)
        choice = ModelChoice(
            model_params or {},
            use_structured_output,
            bos_json_clause,
            eos_json_clause,
            concurrency,
            judge_timeout_seconds,
        )
        patience = Patience(deadline_seconds=judge_timeout_seconds)
        with choice.opened(model) as judge_model, log_of_judgements(verbose=verbose):
            pipeline = build_conversation_pipeline(judge_model, patience, concurrency=concurrency)
            report = run_to_end(pipeline.report(load_conversations(source), criteria))
            _log(report)
        return AgenticMetrics.of(_checked(report))


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Await it in an event loop of its own; a thread of its own as well, where this one has a loop that runs."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _in_a_thread(work)


def _in_a_thread(work: Coroutine[Any, Any, T]) -> T:
    """A user who interrupts waits here, and only here can be told so: without it all the rest would be judged first."""
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[T]]] = Future()

    async def begin() -> T:
        task = asyncio.ensure_future(work)
        begun.set_result((asyncio.get_running_loop(), task))
        return await task

    with ThreadPoolExecutor(1, "agentic") as thread:
        ended = thread.submit(asyncio.run, begin())
        try:
            return ended.result()
        except KeyboardInterrupt:
            loop, task = begun.result()
            with suppress(RuntimeError):  # the loop is closed: it had ended already
                loop.call_soon_threadsafe(task.cancel)
            raise


@contextmanager
def log_of_judgements(*, verbose: bool) -> Generator[None]:
    """Show what is logged on stderr, where nobody has said what is to become of it."""
    if not verbose:
        yield
        return
    level, handler = log.level, None if log.hasHandlers() else logging.StreamHandler()
    log.setLevel(logging.INFO)
    if handler:
        log.addHandler(handler)
    try:
        yield
    finally:
        log.setLevel(level)
        if handler:
            log.removeHandler(handler)


def _checked(report: AgenticReport) -> AgenticReport:
    """Raise for a report that says nothing: nothing was loaded, or the model was away all the time."""
    if not report.interactions:
        raise ValueError("load_dataset() returned no conversations: there is nothing to judge")
    away = report.failure_of(FailureKind.OUTAGE) or report.failure_of(FailureKind.TRANSIENT)
    if away is not None and report.aggregated.total_conversations == 0:
        raise ModelUnavailableError(f"no conversation could be judged: {away.message}")
    return report


def _log(report: AgenticReport) -> None:
    for one in report.interactions:
        score = "no score" if one.stage.score is None else f"{one.stage.score:.2f}"
        log.info("%s, %s: %s: %s", one.session_id, one.qa_id, score, one.stage.reason)
    unknown = report.aggregated.unknown_conversations
    if unknown:
        log.warning("%d conversations are unknown, since interactions of theirs could not be judged", unknown)
