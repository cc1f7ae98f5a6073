"""Puts together how fast the provider is called, and how often."""

import time
from collections.abc import Callable

from eval_worker.evaluation.judges.asker import AttemptObserver
from eval_worker.evaluation.judges.model import JudgeModel, LanguageModel
from eval_worker.evaluation.judges.turns import Turns
from eval_worker.models.hedged import HedgedModel
from eval_worker.provider_limits.pace import Quotas
from eval_worker.provider_limits.pace_keeper import PacesInMemory
from eval_worker.provider_limits.turns import ProviderTurns
from eval_worker.settings import Settings

Clock = Callable[[], float]


def turns_in_memory(settings: Settings, model: JudgeModel, clock: Clock = time.monotonic) -> Turns | None:
    """Make the turns of a process that shares its pace with nobody; None where there is no provider."""
    if not isinstance(model, LanguageModel):
        return None
    keeper = PacesInMemory(quotas(settings), clock)
    return ProviderTurns(keeper, model.name, clock, counts_tokens=settings.tokens_per_minute is not None)


def telling_of_recovery(on_circuit: Callable[[str | None], None], turns: Turns | None) -> Callable[[str | None], None]:
    """Return an observer of the circuit that tells the turns, too, when the model can be used again."""

    def observe(reason: str | None) -> None:
        on_circuit(reason)
        if reason is None and isinstance(turns, ProviderTurns):
            turns.recovered()

    return observe


def hedged(
    model: JudgeModel,
    after_seconds: float | None,
    turns: Turns | None,
    on_hedge: Callable[[str], None],
    on_attempt: AttemptObserver,
) -> JudgeModel:
    """Let late calls be made again, if that is wanted; the one that came too late counts as an attempt, too."""
    if after_seconds is None or not isinstance(model, LanguageModel):
        return model
    return HedgedModel(
        model, after_seconds, turns, on_hedge=on_hedge, on_late=lambda judge, answer: on_attempt(judge, answer, 2)
    )


def quotas(settings: Settings) -> Quotas:
    return Quotas(settings.calls_per_minute, settings.tokens_per_minute)
