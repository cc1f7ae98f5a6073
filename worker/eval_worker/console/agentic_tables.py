"""Conversations and questions as tables."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from eval_worker.agentic.metric import AgenticMetric, PassFigures, QuestionMetric
from eval_worker.agentic.tools.tool_correctness import ToolCorrectnessScore
from eval_worker.console.terminal import printable

_ANSWERS: dict[object, tuple[str, str]] = {True: ("yes", "green"), False: ("no", "red"), None: ("unknown", "yellow")}
_FIGURE_WIDTH = 9  # that of an interval, which may stand below its figure
_ROOMY = 80  # columns of a terminal on which there is room between those of a table
_OTHERS_WIDTH, _OTHERS_WIDTH_TIGHT = 67, 55  # all columns but the first, with "unknown" in them
NARROWEST_TERMINAL = _OTHERS_WIDTH_TIGHT + len("question")


def conversation_table(conversations: Sequence[AgenticMetric], width: int) -> Table:
    table = _table("session", "assistant", "correct", "all", "tools", width=width)
    table.columns[0].width = _name_width("session", (metric.session_id for metric in conversations), width)
    _add_figure_columns(table, conversations[0].k)
    for metric in conversations:
        table.add_row(
            printable(metric.session_id),
            _on_one_line(metric.assistant_id),
            _share(metric.correct_interactions, metric.total_interactions, metric.judged_interactions),
            _answer(metric.is_fully_correct),
            figure(_mean(metric.tool_correctness_scores), 2),
            *_figures(metric),
        )
    return table


def question_table(questions: Sequence[QuestionMetric], width: int) -> Table:
    table = _table("question", "asked", "correct", "any", "all", width=width)
    table.columns[0].width = _name_width("question", (metric.qa_id for metric in questions), width)
    _add_figure_columns(table, questions[0].attempts.k)
    for metric in questions:
        judged = sum(score is not None for score in metric.correctness_scores)
        table.add_row(
            printable(metric.qa_id),
            _on_one_line(metric.query),
            _share(len(metric.correct_indices), metric.k, judged),
            _answer(metric.pass_at_k),
            _answer(metric.pass_pow_k),
            *_figures(metric.attempts),
        )
    return table


def figure(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.2f}–{high:.2f}"


def _table(first: str, second: str, *others: str, width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=(0, int(width >= _ROOMY)))
    table.add_column(first, overflow="fold")
    table.add_column(second, min_width=len(second))
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _name_width(heading: str, names: Iterable[str], width: int) -> int:
    """Return what the names take; long ones are folded. Fixed, as a column that may grow takes what others need."""
    room = width - (_OTHERS_WIDTH if width >= _ROOMY else _OTHERS_WIDTH_TIGHT)
    longest = max(cell_len(printable(name)) for name in names)
    return max(len(heading), min(longest, room, width // 5))


def _on_one_line(text: str) -> Text:
    """Cut it where there is no room; a column that does not wrap would cut its neighbours first."""
    return Text(printable(text), no_wrap=True, overflow="ellipsis")


def _add_figure_columns(table: Table, k: int) -> None:
    for name in (f"pass@{k}", f"pass^{k}"):
        table.add_column(name, justify="right", min_width=_FIGURE_WIDTH)


def _figures(metric: PassFigures) -> tuple[str, str]:
    mark = "*" if metric.extrapolated and metric.pass_at_k is not None else ""
    at_k = f"{figure(metric.pass_at_k)}{mark} {interval(metric.pass_at_k_ci_low, metric.pass_at_k_ci_high)}"
    pow_k = f"{figure(metric.pass_pow_k)}{mark} {interval(metric.pass_pow_k_ci_low, metric.pass_pow_k_ci_high)}"
    return at_k.rstrip(), pow_k.rstrip()


def _share(correct: int, total: int, judged: int) -> str:
    unknown = f", {total - judged} ?" if judged < total else ""
    return f"{correct}/{total}{unknown}"


def _answer(known: object) -> Text:
    word, style = _ANSWERS[known]
    return Text(word, style=style)


def _mean(scores: Iterable[ToolCorrectnessScore | None]) -> float | None:
    known = [score.overall_correctness for score in scores if score is not None]
    return sum(known) / len(known) if known else None
