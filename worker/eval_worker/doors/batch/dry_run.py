"""`--dry-run`: every bad line, and what judging the good ones would take. Asks no model and writes nothing."""

import json
import sys
from dataclasses import dataclass

import click

from eval_worker.agentic.correctness import correctness_judges
from eval_worker.agentic.turn import turns_of
from eval_worker.assessment import AnyEvent
from eval_worker.console.counted import counted
from eval_worker.console.terminal import is_terminal, printable
from eval_worker.conversation_event import ConversationEvent
from eval_worker.doors.batch.estimate import OUTPUT_TOKENS, Estimate
from eval_worker.doors.batch.plan import Location
from eval_worker.doors.batch.progress import cost
from eval_worker.doors.batch.run import decode_row
from eval_worker.errors import MalformedEventError
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.judges.waves import parse_waves
from eval_worker.evaluation.pipeline import Pipeline
from eval_worker.models.offline import OfflineModel
from eval_worker.settings import Settings
from eval_worker.tables.reading import read_rows
from eval_worker.wiring.judging import build_pipeline, read_judges
from eval_worker.wiring.pricing import read_prices

SCREENFUL = 20


@dataclass(slots=True)
class _Counts:
    good: int = 0
    bad: int = 0
    early_exits: int = 0
    conversations: int = 0
    interactions: int = 0


class _Estimates:
    """What the events of each kind would take."""

    def __init__(self, judges: JudgeSet, pipeline: Pipeline, settings: Settings) -> None:
        self._pipeline = pipeline
        combined, waves = settings.judge_calls == "combined", parse_waves(settings.judge_waves)
        prices, default = read_prices(settings), _model_id(settings)

        def price(model_id: str | None, usage: Usage) -> dict[str, float | None]:
            asked = model_id or default
            return {asked: prices.cost_usd(asked, usage)}

        self._answers = Estimate(judges, settings.judge_output, combined=combined, waves=waves, price=price)
        self._conversations = Estimate(correctness_judges(), settings.judge_output, price=price)

    def add(self, event: AnyEvent, counts: _Counts) -> None:
        counts.good += 1
        if isinstance(event, ConversationEvent):
            counts.conversations += len(event.datasets)
            for turn in turns_of(event.datasets):
                counts.interactions += 1
                self._conversations.add(turn.as_interaction())
            return
        interaction = event.as_interaction()
        if self._pipeline.exit_early(self._pipeline.precheck(interaction)):
            counts.early_exits += 1
        else:
            self._answers.add(interaction)

    @property
    def usage(self) -> Usage:
        return self._answers.usage + self._conversations.usage


def run_dry(location: Location, settings: Settings, *, strict: bool) -> int:
    """Read the input to its end; returns the exit code: 1 if `strict` and a line is bad."""
    judges = read_judges(settings)
    pipeline = build_pipeline(settings, judges, OfflineModel())  # of which only the prechecks are used
    estimates, counts = _Estimates(judges, pipeline, settings), _Counts()
    for row in read_rows(location, max_bytes=settings.max_event_bytes):
        try:
            event = decode_row(row, max_bytes=settings.max_event_bytes)
        except MalformedEventError as error:
            counts.bad += 1
            _show_bad(row.number, error, counts)
            continue
        estimates.add(event, counts)
    sys.stdout.flush()
    _show_estimate(settings, estimates.usage, counts)
    return 1 if strict and counts.bad else 0


def _show_bad(number: int, error: MalformedEventError, counts: _Counts) -> None:
    """All of them for a program; a person can't read more than so many."""
    if not is_terminal():
        click.echo(json.dumps({"line": number, "field": error.field, "reason": str(error)}, ensure_ascii=False))
    elif counts.bad <= SCREENFUL:
        click.echo(f"line {number}: {printable(str(error))}")


def _show_estimate(settings: Settings, usage: Usage, counts: _Counts) -> None:
    if is_terminal() and counts.bad > SCREENFUL:
        click.echo(f"… and {counts.bad - SCREENFUL:,} more: send the output to a file to see all", err=True)
    click.echo(
        f"{counted(counts.good + counts.bad, 'line')}: {counted(counts.good, 'event')}, {counts.bad:,} bad; "
        f"{counted(counts.early_exits, 'early exit')}{_conversations(counts)}",
        err=True,
    )
    if settings.judge_model == "offline":
        click.echo("the offline model asks no LLM: 0 model calls, no cost", err=True)
        return
    unknown = "cost unknown: set INPUT_TOKEN_PRICE and OUTPUT_TOKEN_PRICE, or name the model in PRICES_FILE"
    price = unknown if usage.cost_usd is None else f"about {cost(usage.cost_usd)}"
    calls = f"{'at most ' if settings.judge_waves else ''}{counted(usage.llm_calls, 'model call')}"
    click.echo(
        f"{calls}; an estimate, at {OUTPUT_TOKENS} tokens a judgement, without retries and "
        "prompt caching: "
        f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out, {price}",
        err=True,
    )


def _model_id(settings: Settings) -> str:
    """Say which model is asked where a judge has none of its own. A chat model is not made for that."""
    if settings.chat_model_class_path is None:
        return settings.claude_model_id
    params = settings.chat_model_params
    return next((str(params[name]) for name in ("model", "model_name", "model_id") if name in params), "")


def _conversations(counts: _Counts) -> str:
    if not counts.conversations:
        return ""
    return f"; {counted(counts.conversations, 'conversation')} of {counted(counts.interactions, 'interaction')}"
