"""What is known of whole conversations, for people: each one, each question, and in the end all together."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from eval_worker.agentic.conversation import by_conversation
from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.judged import Correctness, JudgedInteraction
from eval_worker.agentic.metric import AgenticMetric, AggregatedMetrics, Interpretation, QuestionMetric
from eval_worker.console.agentic_tables import NARROWEST_TERMINAL, conversation_table, figure, interval, question_table
from eval_worker.console.terminal import printable
from eval_worker.doors.conversation_files.chosen import describe_mode
from eval_worker.doors.conversation_files.judging import JudgedConversations

NARROWEST = 100  # a pipe has no width of its own
NAMED = 20
LISTED = 100  # rows that people read; of more conversations only those that went wrong are listed, --json has all

_STYLES = {Correctness.CORRECT: "green", Correctness.WRONG: "red", Correctness.UNKNOWN: "yellow"}
_MEANINGS: dict[Interpretation | None, tuple[str, str]] = {
    "reliable": ("green", "nearly sure to succeed within {attempts}, and likely to succeed in each"),
    "inconsistent": ("yellow", "nearly sure to succeed within {attempts}, but not likely to succeed in each"),
    "functional": ("yellow", "likely to succeed within {attempts}, but not to be relied on"),
    "needs_improvement": ("red", "not likely enough to succeed within {attempts}"),
    None: ("yellow", "no conversation could be judged to its end"),
}


def print_report(console: Console, judged: JudgedConversations, *, by_question: bool, verbose: bool) -> None:
    console.width = max(console.width, NARROWEST_TERMINAL) if console.is_terminal else NARROWEST
    report = judged.report
    if verbose:
        for turns in by_conversation(report.interactions):
            _print_interactions(console, turns, judged.criteria)
    _print_conversations(console, report.conversations)
    if by_question:
        _print_questions(console, report.questions)
    _print_aggregated(console, report.aggregated)
    _print_notes(console, judged)


def _print_conversations(console: Console, conversations: Sequence[AgenticMetric]) -> None:
    listed = conversations
    if len(conversations) > LISTED:
        listed = [one for one in conversations if not one.is_fully_correct][:LISTED]
    if listed:
        console.print(conversation_table(listed, console.width))
    if len(listed) < len(conversations):
        console.print(
            f"{len(listed):,} of {len(conversations):,} conversations, none that is fully correct", end="\n\n"
        )
    if any(one.extrapolated for one in listed):
        console.print(Text(f"* extrapolated: fewer than k = {listed[0].k} interactions", style="dim"), end="\n\n")


def _print_questions(console: Console, questions: Sequence[QuestionMetric]) -> None:
    listed = questions
    if len(questions) > LISTED:
        listed = [one for one in questions if not one.pass_pow_k][:LISTED]
    if listed:
        console.print(question_table(listed, console.width))
    if len(listed) < len(questions):
        console.print(f"{len(listed):,} of {len(questions):,} questions, none with all answers correct", end="\n\n")
    if not questions:
        console.print("No question was answered more than once.\n")


def _print_interactions(console: Console, turns: list[JudgedInteraction], criteria: Criteria) -> None:
    first = turns[0]
    console.print(Text.assemble((printable(first.session_id), "bold"), f"  {printable(first.assistant_id)}"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", max_width=24)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for one in turns:
        correctness = one.correctness(criteria)
        verdict = Text(f"  {correctness.value}", style=_STYLES[correctness])
        table.add_row(verdict, printable(one.qa_id), figure(one.stage.score, 2), printable(one.stage.reason))
        if one.tools is not None:
            tools = Text(printable(one.tools.reasoning or ""), style="" if one.tools.is_correct else "red")
            table.add_row("", Text("tools", style="dim"), figure(one.tools.overall_correctness, 2), tools)
    console.print(table)
    console.print()


def _print_aggregated(console: Console, metrics: AggregatedMetrics) -> None:
    n, c, k = metrics.total_conversations, metrics.fully_correct_conversations, metrics.k
    attempts = "one attempt" if k == 1 else f"{k} attempts"
    whose = (attempts, attempts) if k == 1 else (f"at least one of {attempts}", f"each of {attempts}")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(style="dim", overflow="fold")
    table.add_row("conversations", str(n), "", _counted(metrics))
    table.add_row("success rate", figure(metrics.conversation_success_rate), "", f"c/n = {c}/{n}" if n else "")
    at_k = (metrics.pass_at_k, metrics.pass_at_k_ci_low, metrics.pass_at_k_ci_high)
    pow_k = (metrics.pass_pow_k, metrics.pass_pow_k_ci_low, metrics.pass_pow_k_ci_high)
    table.add_row(f"pass@{k}", figure(at_k[0]), interval(*at_k[1:]), f"{whose[0]} is fully correct")
    table.add_row(f"pass^{k}", figure(pow_k[0]), interval(*pow_k[1:]), f"{whose[1]} is fully correct")
    unbiased = f"{figure(metrics.unbiased_pass_at_k)} and {figure(metrics.unbiased_pass_pow_k)}"
    if n and not metrics.extrapolated:
        table.add_row("unbiased", "", "", f"pass@{k} and pass^{k} without the bias of small n: {unbiased}")
    console.print(table)
    style, meaning = _MEANINGS[metrics.interpretation]
    word = (metrics.interpretation or "unknown").replace("_", " ")
    console.print(Text.assemble((word, f"bold {style}"), f": {meaning.format(attempts=attempts)}"))


def _counted(metrics: AggregatedMetrics) -> str:
    unknown = f"; {metrics.unknown_conversations} more are unknown" if metrics.unknown_conversations else ""
    wrong = metrics.total_conversations - metrics.fully_correct_conversations
    return f"{metrics.fully_correct_conversations} fully correct, {wrong} not{unknown}"


def _print_notes(console: Console, judged: JudgedConversations) -> None:
    report, criteria = judged.report, judged.criteria
    unknown = [
        printable(f"{one.session_id} of {one.assistant_id}")
        for one in report.conversations
        if one.is_fully_correct is None
    ]
    if unknown:
        more = f" and {len(unknown) - NAMED:,} more" if len(unknown) > NAMED else ""
        names = ", ".join(unknown[:NAMED])
        console.print(Text(f"unknown, and left out of n: {names}{more}", style="yellow"))
    if report.aggregated.extrapolated and report.aggregated.total_conversations:
        n = report.aggregated.total_conversations
        note = f"extrapolated: k = {criteria.k} is more than n = {n}; no unbiased estimate exists"
        console.print(Text(note, style="yellow"))
    counted = "count" if criteria.require_tools else "do not count"
    judge = judged.model + (", which is no LLM" if judged.model == "offline" else "")
    console.print(Text(f"judged by {printable(judge)}; figures: {describe_mode(criteria.mode)}", style="dim"))
    thresholds = f"answers are correct from {criteria.threshold:g} on, tools from {criteria.tool_threshold:g} on"
    console.print(Text(f"{thresholds}; tools {counted} towards the conversation", style="dim"))
