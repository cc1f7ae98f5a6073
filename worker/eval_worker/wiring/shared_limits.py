"""Puts together how fast all workers of a Redis call the provider."""

from collections.abc import Callable

from redis.asyncio import Redis

from eval_worker.evaluation.judges.model import JudgeModel, LanguageModel
from eval_worker.provider_limits.redis_paces import RedisPaces
from eval_worker.provider_limits.turns import ProviderTurns
from eval_worker.redis_refusal import any_failure
from eval_worker.settings import Settings
from eval_worker.short_patience import ShortPatience
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.wiring.limits import Clock, quotas


def shared_turns(
    settings: Settings,
    model: JudgeModel,
    client: Redis,
    redis: RedisPatience,
    clock: Clock,
    *,
    calls_an_event: int,
    on_wait: Callable[[float], None],
) -> ProviderTurns | None:
    """Make the turns that all workers of this Redis take together; None where there is no provider."""
    if not isinstance(model, LanguageModel):
        return None
    prefix, ours = settings.redis_pace_prefix, quotas(settings)
    if settings.stream_partitions == 1:
        keeper = RedisPaces(client, prefix, ours, redis, clock)
    else:
        short = ShortPatience(clock)
        keeper = RedisPaces(client, prefix, ours, redis, clock, gives_up_on=any_failure, short=short)
    counts_tokens = settings.tokens_per_minute is not None
    return ProviderTurns(
        keeper, model.name, clock, calls_an_event=calls_an_event, counts_tokens=counts_tokens, on_wait=on_wait
    )
