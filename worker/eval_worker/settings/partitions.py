"""How the streams are divided, and what has to fit together there."""

from typing import Annotated, Any, Literal

from pydantic import Field

from eval_worker.settings.quantities import Group


class PartitionSettings(Group):
    """Partitions."""

    stream_partitions: Annotated[int, Field(ge=1, le=64)] = 1
    """Divide the event stream over [so many](partitions.md), each with results and dead letters of its own:
    `{eval-events:0}`, …; for workers, producers and whoever reads."""
    partition_by: Literal["event", "agent"] = "event"
    """Which of them an event goes to: by its id, or by its agent's name."""


def check_partitions(settings: Any) -> None:
    """Find what does not go together with partitions.

    Raises:
        ValueError: naming it.
    """
    for name in ("redis_result_stream", "redis_dead_letter_stream"):
        if settings.was_given(name):
            raise ValueError(
                f"{name.upper()} can't be chosen with STREAM_PARTITIONS above 1: unset it, as each partition has "
                f"its own beside its events, such as {{{settings.redis_stream_name}:0}}:results"
            )
    if "{" in settings.redis_stream_name or "}" in settings.redis_stream_name:
        raise ValueError(
            f"REDIS_STREAM_NAME ({settings.redis_stream_name!r}) must hold no braces with STREAM_PARTITIONS above 1: "
            "they are put around it, so that each partition has a slot of its own"
        )
    if settings.read_ahead < 2 * settings.stream_partitions:
        raise ValueError(
            f"READ_AHEAD ({settings.read_ahead}) must be at least two for each of STREAM_PARTITIONS "
            f"({settings.stream_partitions})"
        )
